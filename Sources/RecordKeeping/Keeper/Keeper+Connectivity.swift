/// The route to the provider: debouncing, checking, loss and return.
extension Keeper {
    /// Schedules a route check after a route event.
    mutating func routesChanged(at now: Instant) {
        // A burst of events triggers one check. Later events do not postpone the check, because a steady stream of
        // events would postpone it forever.
        guard connectivity.isNeeded, !schedule.contains(TimerID.debounced.id) else { return }
        schedule.set(TimerID.debounced.id, to: now.boot + settings.debounce)
    }

    /// Begins a route check, which replaces any check that has not been answered.
    mutating func checkRoute(followsRouteEvent: Bool = false) {
        guard phase != .finished, connectivity.isNeeded else { return }
        emit(.checkRoute(epoch: connectivity.ask(followsRouteEvent: followsRouteEvent), connectivity.targets))
    }

    /// Handles the result of a route check; a result of an earlier epoch is ignored.
    mutating func routeChecked(_ status: RouteStatus, epoch: Int, at now: Instant) {
        guard epoch == connectivity.epoch else { return }
        let check = connectivity.check
        switch connectivity.answered(status, epoch: epoch, at: now) {
        case .opened:
            break
        case .none:
            if check == .inProgress(followsRouteEvent: true) { resolveAfterRouteEvent(at: now) }
        case .doubted:
            schedule.set(TimerID.doubtOver.id, to: now.boot + Limits.maxDoubt)
            resolve(at: now)
        case .confirmed:
            schedule.remove(TimerID.doubtOver.id)
        case .lost(let reason):
            lose(reason, at: now)
        case .restored(let duration):
            schedule.remove(TimerID.resolution.id)
            // Earlier failures may have been caused by the loss of the route.
            provider.retryNow()
            outages.end(at: now.wall)
            publishHealth(
                .networkRestored, "route to \(settings.routeName) restored after \(duration.inWords)", at: now)
            resolve(at: now)
        }
        if check != .none, !connectivity.isDoubted { attributeFailures(at: now) }
    }

    /// Declares the route lost after the loss has been in doubt for `Limits.maxDoubt`.
    mutating func doubtOver(at now: Instant) {
        guard let reason = connectivity.doubtExpired(at: now) else { return }
        lose(reason, at: now)
        attributeFailures(at: now)
    }

    private mutating func lose(_ reason: String, at now: Instant) {
        outages.begin(.network, reason, deferred: waitingForProvider, at: now.wall)
        publishHealth(
            .networkLost,
            "no route to \(settings.routeName): \(reason); records will be reported as stale until it returns",
            at: now)
        schedule.remove(TimerID.doubtOver.id)
        schedule.set(TimerID.resolution.id, to: now.boot + Limits.resolutionRetry)
        cancelCalls()
        for index in waiters.callers.keys.sorted() { answerCaller(index, at: now) }
    }

    /// Handles the failures whose cause was unknown until the route was checked.
    private mutating func attributeFailures(at now: Instant) {
        let waiting = uncheckedFailures
        uncheckedFailures = []
        for (flight, failure) in waiting {
            if connectivity.isOpen {
                attribute(flight, failure, at: now)
            } else {
                putBack(flight.call, at: now)
            }
        }
    }
}

extension Duration {
    /// This duration as text, such as "45 s", "12 min", "3 h" or "5 days": truncated to the largest unit of which there
    /// are at least two, or to seconds.
    package var inWords: String {
        let seconds = wholeMilliseconds / 1_000
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
