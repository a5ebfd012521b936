/// The reasons why entries have no fresh record, and the times of the next attempts.
extension Keeper {
    /// Adds the reason why there is no fresh record, and the time of the next attempt. An entry that is in a call, or
    /// that waits only until other calls return, has no reason.
    ///
    /// The reasons in order: no route, commits that fail, the failure of the address, the failure of the provider, and
    /// an exhausted quota.
    ///
    /// - Parameters:
    ///   - isDue: whether the entry waits for a call.
    ///   - retryAt: the end of the backoff of the address; nil if the address has none.
    ///   - window: the next quota window, which the entries of a reply share.
    func addReason(
        to view: inout EntryView, isDue: Bool, retryAt: BootTime?, at now: Instant, sharing window: inout NextWindow
    ) {
        let next: BootTime?
        if let loss = connectivity.loss {
            (view.failure, next) = (offlineFailure(of: loss, at: now), nil)
        } else if let failed = commitQueue.failure {
            (view.failure, next) = (storeFailure(of: failed), failed.retryAt)
        } else if let own = view.entry.failure {
            (view.failure, next) = (own, retryAt ?? (isDue ? earliestCall(at: now.boot) : nil))
        } else if let failure = provider.failure {
            (view.failure, next) = (failure, earliestCall(at: now.boot))
        } else if isDue, let windowEnd = window.time({ nextWindow(at: now) }) {
            (view.failure, next) = (quotaFailure(at: now), windowEnd)
        } else {
            return
        }
        if view.state == .loading, view.failure?.kind.isOfCall == true { view.state = .failed }
        view.nextAttemptAt = next.flatMap { $0 > now.boot ? now.wall + ($0 - now.boot) : nil }
    }

    private func offlineFailure(of loss: SavedLoss, at now: Instant) -> Failure {
        let message = "no route to \(settings.providerName): \(loss.reason)"
        return Failure(kind: .offline, message: message, at: Instant(boot: now.boot, wall: loss.since), attempts: 0)
    }

    private func storeFailure(of failed: CommitFailure) -> Failure {
        let message = "the database could not be written: \(failed.reason)"
        return Failure(kind: .storeFailed, message: message, at: failed.at, attempts: failed.attempts)
    }

    /// The failure since the last call, which used up the quota.
    private func quotaFailure(at now: Instant) -> Failure {
        let since = Instant(boot: now.boot, wall: provider.lastCallAt ?? now.wall)
        return Failure(kind: .quotaExhausted, message: Self.waitingForQuota, at: since, attempts: 0)
    }

    static let waitingForQuota = "the provider's quota is used up until the next window"

    /// Returns the time before which no call is sent; nil if calls can be sent now.
    func earliestCall(at now: BootTime) -> BootTime? {
        if let retryAt = commitQueue.retryAt, now < retryAt { return retryAt }
        if let retryAt = provider.retryAt, now < retryAt { return retryAt }
        // Calls that are only reserved can still be sent.
        let ends = quotas.values.map { $0.left(at: now) == 0 ? $0.window.latestEnd : nil }
        return ends.contains(nil) ? nil : ends.compactMap { $0 }.min()
    }

    /// Returns the time from which due addresses may be called again, if the quota of each endpoint is used up or kept
    /// for other addresses, and no reserved call is left to send; otherwise nil.
    func nextWindow(at now: Instant) -> BootTime? {
        let ends = quotas.map { endpoint, quota -> BootTime? in
            if keepsCallsForLater(endpoint, at: now) {
                // The calls may have been reserved before they were kept.
                return quota.releaseTime.flatMap { $0 > now.boot ? $0 : nil } ?? quota.window.latestEnd
            }
            // Calls that were reserved before others used up the quota cannot be sent.
            let isReserving = quota.reservations.uncommitted > 0 || quota.reserved(at: now.boot) > 0
            return quota.isExhausted(at: now.boot) && !isReserving ? quota.window.latestEnd : nil
        }
        return ends.contains(nil) ? nil : ends.compactMap { $0 }.min()
    }
}

/// The time of the next quota window, for the entries of one reply. It is determined for the first entry that waits for
/// a window, because this may take longer than the rest of the entry (`Limits.deadlinesPerCall`).
struct NextWindow {
    private var known: BootTime??

    /// Returns the time, or nil if calls can be sent now.
    ///
    /// - Parameter find: determines the time (``Keeper/nextWindow(at:)``); called once.
    mutating func time(_ find: () -> BootTime?) -> BootTime? {
        if let known { return known }
        let found = find()
        known = .some(found)
        return found
    }
}

extension Failure.Kind {
    /// Whether a call failed, or could not be made without a route. Otherwise, the call is only postponed.
    fileprivate var isOfCall: Bool {
        switch self {
        case .offline, .unreachable, .timeout, .throttled, .unauthorized, .rejected, .malformed: true
        case .quotaExhausted, .storeFailed: false
        }
    }
}
