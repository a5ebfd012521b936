/// The reasons why entries have no fresh record, and the times of the next attempts.
extension Keeper {
    /// Adds the reason why there is no fresh record, and the time of the next attempt. An entry that is in a call, or
    /// that waits only until other calls return, has no reason.
    ///
    /// The reasons, in order of precedence: no route, commits that fail, the failure of the address, the failure of the
    /// provider, and an exhausted quota.
    ///
    /// - Parameters:
    ///   - isDue: whether the entry waits for a call.
    ///   - retryAt: the end of the backoff of the address; nil if the address has none.
    ///   - attempt: the next call, which is the same for all entries of a reply.
    func addReason(
        to view: inout EntryView, isDue: Bool, retryAt: BootTime?, at now: Instant, sharing attempt: inout NextAttempt
    ) {
        let (next, hasFailed): (BootTime?, Bool)
        if let loss = connectivity.loss {
            (view.failure, next, hasFailed) = (offlineFailure(of: loss, at: now), nil, true)
        } else if let failed = commitQueue.failure {
            (view.failure, next, hasFailed) = (storeFailure(of: failed), failed.retryAt, false)
        } else if let own = view.entry.failure {
            (view.failure, next, hasFailed) = (own, retryAt ?? (isDue ? earliestCall(at: now.boot) : nil), true)
        } else if let failure = provider.failure {
            (view.failure, next, hasFailed) = (failure, earliestCall(at: now.boot), true)
        } else if isDue, let call = attempt.find({ nextAttempt(at: now) }) {
            let isDelayedByQuota = provider[call.endpoint].retryAt.map { $0 < call.time } ?? true
            let failure = isDelayedByQuota ? nil : provider[call.endpoint].failure
            // The entry has not failed: if one endpoint fails, the other may still serve it.
            (view.failure, next, hasFailed) = (failure ?? quotaFailure(at: now), call.time, false)
        } else {
            return
        }
        if hasFailed, view.state == .loading { view.state = .failed }
        view.nextAttemptAt = next.flatMap { $0 > now.boot ? now.wall + ($0 - now.boot) : nil }
    }

    private func offlineFailure(of loss: SavedLoss, at now: Instant) -> Failure {
        let message = "no route to \(settings.routeName): \(loss.reason)"
        return Failure(kind: .offline, message: message, at: Instant(boot: now.boot, wall: loss.since), attempts: 0)
    }

    private func storeFailure(of failed: CommitFailure) -> Failure {
        let message = "the database could not be written: \(failed.reason)"
        return Failure(kind: .storeFailed, message: message, at: failed.at, attempts: failed.attempts)
    }

    /// The failure of an entry that waits for the next quota window. It dates from the last call, which used up the
    /// quota.
    private func quotaFailure(at now: Instant) -> Failure {
        let since = Instant(boot: now.boot, wall: provider.lastCallAt ?? now.wall)
        return Failure(kind: .quotaExhausted, message: Self.waitingForQuota, at: since, attempts: 0)
    }

    static let waitingForQuota = "the provider's quota is used up until the next window"

    /// Returns the time before which no call is sent; nil if calls can be sent now.
    func earliestCall(at now: BootTime) -> BootTime? {
        if let retryAt = commitQueue.retryAt, now < retryAt { return retryAt }
        let times = quotas.map { endpoint, quota -> BootTime? in
            // Calls that are only reserved can still be sent.
            let windowEnd = quota.left(at: now) == 0 ? quota.window.latestEnd : nil
            return Self.later(windowEnd, provider[endpoint].retryAt, at: now)
        }
        return times.contains(nil) ? nil : times.compactMap { $0 }.min()
    }

    /// Returns the endpoint and the time of the next call for the due addresses; nil if a call may be sent now, or once
    /// another one returns. An endpoint is delayed by its failures, by a quota that is used up or kept for other
    /// addresses, or by both.
    func nextAttempt(at now: Instant) -> (endpoint: Call.Endpoint, time: BootTime)? {
        var next: (endpoint: Call.Endpoint, time: BootTime)?
        for endpoint in Call.Endpoint.allCases {
            guard let quota = quotas[endpoint] else { continue }
            let windowEnd = windowEnd(of: quota, at: now)
            guard let time = Self.later(windowEnd, provider[endpoint].retryAt, at: now.boot) else { return nil }
            if next.map({ time < $0.time }) ?? true { next = (endpoint, time) }
        }
        return next
    }

    /// Returns the time from which a quota that is used up, or kept for other addresses, allows calls again; nil if it
    /// allows calls now.
    private func windowEnd(of quota: Quota, at now: Instant) -> BootTime? {
        if keepsCallsForLater(quota.endpoint, at: now) {
            // The calls may have been reserved on disk before they were kept for other addresses.
            return quota.releaseTime.flatMap { $0 > now.boot ? $0 : nil } ?? quota.window.latestEnd
        }
        // Calls that were reserved before other clients used up the quota cannot be sent.
        let isReserving = quota.reservations.uncommitted > 0 || quota.reserved(at: now.boot) > 0
        return quota.isExhausted(at: now.boot) && !isReserving ? quota.window.latestEnd : nil
    }

    /// Returns the later of those times that are in the future; nil if neither is.
    private static func later(_ one: BootTime?, _ other: BootTime?, at now: BootTime) -> BootTime? {
        [one, other].compactMap { $0 }.filter { $0 > now }.max()
    }
}

/// The next call, for the entries of one reply. It is determined once, for the first entry that needs it, because
/// determining it may take longer than the rest of the work for an entry (`Limits.deadlinesPerCall`).
struct NextAttempt {
    typealias Call = (endpoint: RecordKeeping.Call.Endpoint, time: BootTime)

    private var known: Call??

    /// Returns the call, or nil if a call can be sent now.
    ///
    /// - Parameter determine: determines the call (``Keeper/nextAttempt(at:)``); called once.
    mutating func find(_ determine: () -> Call?) -> Call? {
        if let known { return known }
        let found = determine()
        known = .some(found)
        return found
    }
}
