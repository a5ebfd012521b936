/// The daemon's condition, as `Status` tells it.
extension Keeper {
    package func status(at now: Instant) -> StatusView {
        StatusView(
            startedAt: startedAt.wall, isOnline: connectivity.loss == nil, networkSince: networkSince,
            networkReason: connectivity.loss?.reason, provider: providerView(at: now), counts: counts,
            interval: settings.interval, nextAt: nextAt(at: now), due: due.count,
            inFlight: flights.values.reduce(0) { $0 + $1.call.addresses.count }, load: load,
            lastSeq: ledger.lastSeq)
    }

    private var networkSince: WallTime {
        switch connectivity.state {
        case .unasked: startedAt.wall
        case .open(let since): since
        case .lost(let since, _): since.wall
        }
    }

    private func providerView(at now: Instant) -> StatusView.Provider {
        let quotas = Call.Endpoint.allCases.compactMap { self.quotas[$0] }
        let isHeldBack = !due.isEmpty && provider.state == .ok && quotas.allSatisfy { $0.isExhausted(at: now.boot) }
        return StatusView.Provider(
            name: settings.providerName, state: isHeldBack ? .throttled : provider.state,
            // The last call is what used it up.
            since: isHeldBack ? provider.lastCallAt ?? provider.since : provider.since,
            message: isHeldBack
                ? "the quota is used up: what is due goes out as the next windows allow" : provider.failure?.message,
            calls: provider.calls, failures: provider.failures, lastCallAt: provider.lastCallAt,
            quotas: quotas.map { view(of: $0, at: now) })
    }

    private func view(of quota: Quota, at now: Instant) -> StatusView.Quota {
        let isOpen = quota.resetsAt.map { now.boot < $0 } ?? false
        if quota.isDistrusted, !isOpen, let retryAt = provider.retryAt, now.boot < retryAt {
            // It refused and did not say until when: nothing may be sent before the next try.
            return StatusView.Quota(
                endpoint: quota.endpoint, limit: quota.limit, remaining: 0, resetsAt: now.wall + (retryAt - now.boot))
        }
        return StatusView.Quota(
            endpoint: quota.endpoint, limit: quota.limit,
            remaining: isOpen ? quota.left : quota.limit,
            resetsAt: isOpen ? quota.resetsAt.map { now.wall + ($0 - now.boot) } : nil)
    }

    private var counts: StatusView.Counts {
        // What is not known yet is on its way, unless nothing can come.
        let unknown: EntryState = connectivity.loss == nil && !provider.isFailing ? .loading : .failed
        var byState: [EntryState: Int] = [
            .fresh: tally.count(.fresh), .empty: tally.count(.empty), .stale: tally.count(.stale),
            .failed: tally.count(.failed),
        ]
        byState[unknown, default: 0] += tally.count(.unknown)
        return StatusView.Counts(
            watched: tally.watched, cached: tally.cached, pinned: tally.pinned, byState: byState)
    }

    /// When the next record ends its life or the next failed address is tried again.
    private func nextAt(at now: Instant) -> WallTime? {
        let next = schedule.earliest { number in
            guard case .entry(let slot) = Alarm(number: number) else { return false }
            return slots.isInUse(slot) && slots.isWatched(slot)
        }
        return next.map { now.wall + ($0 - now.boot) }
    }

    /// Addresses that want a record in each interval, as a share of the addresses that the quotas allow in it.
    private var load: Double? {
        var perInterval = 0.0
        for quota in quotas.values {
            guard let limit = quota.limit else { return nil }
            let windows = Double(settings.interval.wholeMilliseconds) / Double(quota.windowLength.wholeMilliseconds)
            perInterval += windows * Double(limit * quota.addressesPerCall)
        }
        return perInterval > 0 ? Double(tally.called) / perInterval : nil
    }
}
