/// When records could not be had, and what was put off by that.
extension Keeper {
    /// The provider has failed, although there is a way.
    ///
    /// - Parameter isNews: not in the same way as before. A ban that follows on a refusal is what the outage is about.
    mutating func noteProviderFailure(_ message: String, isNews: Bool, of addresses: Int, at now: Instant) {
        guard outages.current == nil else {
            if isNews { outages.restate(.provider, message) }
            return
        }
        outages.begin(.provider, message, deferred: addresses + waitingForProvider, at: now.wall)
    }

    mutating func noteLoss(_ reason: String, at now: Instant) {
        outages.begin(.network, reason, deferred: waitingForProvider, at: now.wall)
    }

    /// Records can be had again.
    mutating func noteRecovery(at now: Instant) {
        outages.end(at: now.wall)
    }

    /// Addresses that are due, or in a call that has brought nothing yet.
    private var waitingForProvider: Int {
        due.count + flights.values.reduce(0) { $0 + $1.call.addresses.count }
    }

    mutating func restoreOutage(_ restored: Restored, at now: Instant) {
        outages.restore(restored.outage, lastNumber: restored.lastOutage)
        switch (outages.current?.cause, connectivity.loss, provider.failure) {
        case (.network, _?, _), (.provider, nil, _?), (nil, nil, _): break
        case (_, let loss?, _): outages.begin(.network, loss.reason, deferred: 0, at: loss.since)
        case (.network, nil, _), (.provider, nil, nil): outages.end(at: now.wall)
        }
        // Those that were due when the daemon ended still are.
        outages.hasDeferred(atLeast: due.count)
    }

    // MARK: Telling of what was

    mutating func outagesRead(_ request: Request.ID, _ read: [Outage]) {
        emit(.answer(request, .outages(outages.updated(read))))
    }
}
