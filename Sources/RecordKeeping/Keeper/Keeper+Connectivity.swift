/// The way to the provider: gathered, asked about, lost and back.
extension Keeper {
    mutating func routesChanged(at now: Instant) {
        // A burst is one question. Events that come while they are gathered do not put the question off, or a storm of
        // them would put it off for ever.
        guard !schedule.contains(Alarm.settled.number) else { return }
        schedule.set(Alarm.settled.number, to: now.boot + settings.settle)
    }

    mutating func askWay() {
        guard phase != .finished else { return }
        emit(.askWay(epoch: connectivity.ask(), connectivity.targets))
    }

    mutating func resolved(_ addresses: [IPAddress]) {
        if connectivity.resolved(addresses) { askWay() }
    }

    mutating func wayAnswered(_ way: Way, epoch: Int, at now: Instant) {
        let wasAsked = connectivity.isAsking && epoch == connectivity.epoch
        switch connectivity.answered(way, epoch: epoch, at: now) {
        case .none, .opened:
            break
        case .lost(let reason):
            lose(reason, at: now)
        case .restored(let duration):
            // Whatever failed before may have failed because the way was going.
            provider.retryNow()
            noteRecovery(at: now)
            tellOfHealth(
                .networkRestored, "there is a way to \(settings.providerName) again, after \(duration.inWords)", at: now
            )
            emit(.resolve)
        }
        if wasAsked { judgeAll(at: now) }
    }

    private mutating func lose(_ reason: String, at now: Instant) {
        noteLoss(reason, at: now)
        tellOfHealth(
            .networkLost, "no way to \(settings.providerName): \(reason); records are told as stale until it is back",
            at: now)
        giveUpCalls()
        for index in audience.callers.keys.sorted() { answerCaller(index, at: now) }
    }

    private mutating func judgeAll(at now: Instant) {
        let waiting = unjudged
        unjudged = []
        for (flight, failure) in waiting {
            if connectivity.isOpen {
                judge(flight, failure, at: now)
            } else {
                putBack(flight.call, at: now)
            }
        }
    }
}

extension Duration {
    /// "45 s", "12 min", "3 h": in the largest unit that leaves a number, cut off.
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
