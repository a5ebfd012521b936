/// The shares of urgent refreshes, background refreshes and lookups in the quotas.
extension Keeper {
    /// Returns how many addresses of each rank the next call to an endpoint contains; all zero if no call may be sent.
    func nextCall(to endpoint: Call.Endpoint, at now: Instant) -> RankCounts {
        guard let quota = quotas[endpoint] else { return RankCounts() }
        let left = quota.left(at: now.boot)
        let isFailing = provider[endpoint].isFailing
        if isFailing, !provider[endpoint.other].isFailing, due.counts.background > 0, left != 0 {
            // The call will probably fail, so it contains an address that no client waits for.
            return RankCounts { $0 == .background ? 1 : 0 }
        }
        return quota.shares.nextCall(
            atMost: isFailing ? 1 : quota.addressesPerCall, left: left, limit: quota.presumedLimit, queued: due.counts,
            expected: left.map { expected(in: quota, left: $0, at: now.boot) } ?? RankCounts(),
            unawaited: isKeeping(quota, at: now.boot) ? due.unawaitedLookups : 0)
    }

    /// Whether calls of the window are still kept for addresses that may become due.
    private func isKeeping(_ quota: Quota, at now: BootTime) -> Bool {
        quota.releaseTime.map { now < $0 } ?? true
    }

    /// Returns whether the endpoint has calls left, but keeps all of them for addresses that are expected later in the
    /// window, so that no due address may be sent now.
    func keepsCallsForLater(_ endpoint: Call.Endpoint, at now: Instant) -> Bool {
        quotas[endpoint]?.left(at: now.boot).map { $0 > 0 } ?? false && nextCall(to: endpoint, at: now).total == 0
    }

    /// Returns the number of addresses of each rank that will probably become due before the window ends, besides those
    /// that are due now. The first call of a window is not kept for such addresses, since it determines when the window
    /// ends.
    ///
    /// - Parameter left: the number of calls that may still be sent in the window.
    private func expected(in quota: Quota, left: Int, at now: BootTime) -> RankCounts {
        var expected = RankCounts()
        guard quota.window.hasBegun else { return expected }
        // Refreshes are known in advance. At worst, each needs a call of its own.
        let end = quota.window.latestEnd ?? now + quota.windowLength
        expected.background = quota.addressesPerCall * refreshes(before: end, atMost: left)
        // Lookups are not known in advance. If there were any recently, a third of the window is kept for lookups until
        // shortly before the window ends.
        if due.expectsLookups(at: now), isKeeping(quota, at: now) {
            expected.lookup = max(0, quota.shares.unspentThird(of: .lookup, left: left) - due.counts.lookup)
        }
        return expected
    }

    /// Returns the number of watched entries whose deadline is before `end`, up to a maximum. If there are many other
    /// deadlines, the number may be too high, but not higher than the number of watched entries.
    private func refreshes(before end: BootTime, atMost maximum: Int) -> Int {
        let count = schedule.count(before: end, atMost: min(maximum, tally.called), checking: Limits.deadlinesPerCall) {
            guard case .entry(let slot) = TimerID(id: $0) else { return false }
            return slots.peek(slot).isWatched
        }
        return count
    }
}
