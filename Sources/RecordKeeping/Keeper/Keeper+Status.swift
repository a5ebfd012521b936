/// The data of the reply to `Status`.
extension Keeper {
    package func status(at now: Instant) -> StatusView {
        StatusView(
            startedAt: startedAt.wall, isOnline: connectivity.loss == nil, networkSince: networkSince,
            networkReason: connectivity.loss?.reason, provider: providerView(at: now), counts: counts,
            names: StatusView.Names(
                watched: names.count, failing: names.rows.values.count { $0.watch.failure != nil }),
            interval: settings.interval, nextAt: nextAt(at: now), due: due.count,
            inFlight: flights.values.reduce(0) { $0 + $1.call.addresses.count }, load: load,
            lastSeq: commitQueue.lastSeq, storeFailure: commitQueue.failure?.reason)
    }

    private var networkSince: WallTime {
        switch connectivity.state {
        case .unasked: startedAt.wall
        case .open(let since), .doubted(let since, _, _), .unneeded(let since): since
        case .lost(let since, _): since.wall
        }
    }

    /// The name of the provider at this moment.
    private var providerName: String {
        if case .version(let version?) = validity { version.name } else { settings.providerName }
    }

    private func providerView(at now: Instant) -> StatusView.Provider {
        // Local databases have no quotas to report.
        let quotas = connectivity.isNeeded ? Call.Endpoint.allCases.compactMap { self.quotas[$0] } : []
        let isWaiting = !due.isEmpty && nextAttempt(at: now) != nil
        return StatusView.Provider(
            name: providerName, state: provider.worst.state, since: provider.worst.since,
            message: provider.worst.failure?.message ?? (isWaiting ? Self.waitingForQuota : nil),
            calls: provider.calls, failures: provider.failures, lastCallAt: provider.lastCallAt,
            quotas: quotas.map { view(of: $0, at: now) },
            endpoints: Call.Endpoint.allCases.map {
                let health = provider[$0]
                return StatusView.Endpoint(
                    endpoint: $0, state: health.state, since: health.since, message: health.failure?.message,
                    calls: health.calls, failures: health.failures)
            })
    }

    private func view(of quota: Quota, at now: Instant) -> StatusView.Quota {
        let isOpen = quota.window.isOpen && !quota.window.isOver(at: now.boot)
        if quota.isDistrusted, !isOpen, let retryAt = provider[quota.endpoint].retryAt, now.boot < retryAt {
            // The provider refused a call without reporting when the window ends, so the quota is reported as used up
            // until the next attempt.
            return StatusView.Quota(
                endpoint: quota.endpoint, limit: quota.limit, remaining: 0, resetsAt: now.wall + (retryAt - now.boot))
        }
        return StatusView.Quota(
            endpoint: quota.endpoint, limit: quota.limit,
            remaining: isOpen ? quota.left : quota.limit,
            resetsAt: isOpen ? quota.window.latestEnd.map { now.wall + ($0 - now.boot) } : nil)
    }

    /// Returns the data of the reply to `Metrics`.
    package func metrics(at now: Instant) -> MetricsView {
        let oldest = slots.cohorts.inUse.lazy.map { slots.cohorts[$0].at.boot }.min()
        let causes = Outage.Cause.allCases.map { ($0, counters.outages($0, at: now.boot)) }
        return MetricsView(
            status: status(at: now), watched: byState { tally.watched($0) }, counters: counters,
            outages: Dictionary(uniqueKeysWithValues: causes), oldestRecordAge: oldest.map { now.boot - $0 })
    }

    private var counts: StatusView.Counts {
        StatusView.Counts(
            watched: tally.watched, cached: tally.cached, pinned: tally.pinned, byState: byState { tally.count($0) })
    }

    /// Returns the number of entries in each state.
    ///
    /// - Parameter count: returns the number of entries of a category.
    private func byState(_ count: (Tally.Category) -> Int) -> [EntryState: Int] {
        // An entry without a record is loading, unless there is no route or the provider fails.
        let unknown: EntryState = connectivity.loss == nil && !provider.isFailing ? .loading : .failed
        var byState: [EntryState: Int] = [
            .fresh: count(.fresh), .empty: count(.empty), .stale: count(.stale), .failed: count(.failed),
        ]
        byState[unknown, default: 0] += count(.unknown)
        return byState
    }

    /// Returns the time at which the next watched record expires or the next failed address is retried; nil if there is
    /// none.
    private func nextAt(at now: Instant) -> WallTime? {
        let next = schedule.earliest { id in
            guard case .entry(let slot) = TimerID(id: id) else { return false }
            return slots.isInUse(slot) && slots.peek(slot).isWatched
        }
        return next.map { now.wall + ($0 - now.boot) }
    }

    /// The number of addresses that need a record in each interval, divided by the number that the quotas allow; nil if
    /// a quota is unknown or unlimited.
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
