/// Outages, and the refreshes that they defer.
extension Keeper {
    /// Begins an outage because the provider has failed although there is a route. If a provider outage is already in
    /// progress, only adds a new reason to its message.
    ///
    /// - Parameter isNew: whether the failure differs from the previous one, such as a ban after a refusal.
    mutating func noteProviderFailure(_ message: String, isNew: Bool, of addresses: Int, at now: Instant) {
        guard outages.current == nil else {
            if isNew { outages.restate(.provider, message) }
            return
        }
        outages.begin(.provider, message, deferred: addresses + waitingForProvider, at: now.wall)
    }

    /// The number of addresses that are due, or in a call in flight.
    var waitingForProvider: Int {
        due.count + flights.values.reduce(0) { $0 + $1.call.addresses.count }
    }

    /// Restores an outage that had not ended, and ends or replaces it if the restored state of the route or the
    /// provider contradicts it.
    mutating func restoreOutage(_ restored: Restored, at now: Instant) {
        outages.restore(restored.outage, lastNumber: restored.lastOutage)
        counters.restored(outages.current, at: now.boot)
        switch (outages.current?.cause, connectivity.loss, provider.failure) {
        case (.network, _?, _), (.provider, nil, _?), (nil, nil, _): break
        case (_, let loss?, _): outages.begin(.network, loss.reason, deferred: 0, at: loss.since)
        case (.network, nil, _), (.provider, nil, nil): outages.end(at: now.wall)
        }
        // Addresses that were due when the daemon exited are still due.
        outages.hasDeferred(atLeast: due.count)
    }
}
