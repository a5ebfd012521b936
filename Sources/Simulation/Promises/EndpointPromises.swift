import RecordKeeping

/// The promises about endpoints: while one of them fails, the other serves the addresses, and the quota of the failing
/// one is not spent on failures.
struct EndpointPromises {
    /// The results of the current process's calls to an endpoint.
    private struct Results {
        /// The time of the last failure since the last success; nil if there was none.
        var failedAt: Moment?
        /// The number of consecutive failures that neither the route nor an address can have caused, each of a call
        /// that was sent after the previous failure.
        var failures = 0
    }

    private var results: [Call.Endpoint: Results] = [:]
    /// The time and the endpoint of each call in flight.
    private var sent: [Call.ID: (endpoint: Call.Endpoint, at: Moment)] = [:]
    /// The time of the last request to refresh records, after which the daemon calls the provider at once.
    private var refreshRequested = Moment.start

    /// The number of failures after which the backoff has reached its maximum, and the shortest delay from then on.
    private static let (failures, backoff) = (8, Duration.seconds(29))

    /// Checks that a call to an endpoint that keeps failing waits for the end of the backoff.
    ///
    /// - Parameter routesSince: the time of the last change of the routes, after which the daemon also calls the
    ///   provider at once.
    mutating func called(
        _ call: Call, routesSince: Moment, coverage: inout Coverage, at now: Moment
    ) throws(Violation) {
        sent[call.id] = (call.endpoint, now)
        guard let results = results[call.endpoint], results.failures >= Self.failures, let failedAt = results.failedAt,
            max(refreshRequested, routesSince + Conditions.starting) < failedAt
        else { return }
        coverage.count("call to a failing endpoint checked")
        guard now - failedAt >= Self.backoff else {
            throw Violation(
                promise: "a failing endpoint is tried at increasing intervals",
                details: "a \(call.endpoint) call was sent \(now - failedAt) after the last of \(results.failures) "
                    + "failures",
                moment: now)
        }
    }

    mutating func requested(_ request: Request, at now: Moment) {
        if case .refresh = request.body { refreshRequested = now }
    }

    /// Handles the end of a call.
    ///
    /// - Parameters:
    ///   - kind: the kind of failure; nil if the call succeeded.
    ///   - routeOpenSince: the time since which the route has been open; nil if there is none, which may be the cause
    ///     of the failure.
    mutating func ended(_ id: Call.ID, _ kind: Failure.Kind?, routeOpenSince: Moment?, at now: Moment) {
        guard let call = sent.removeValue(forKey: id) else { return }
        guard let kind else {
            results[call.endpoint] = Results()
            return
        }
        let last = results[call.endpoint]?.failedAt
        results[call.endpoint, default: Results()].failedAt = now
        switch kind {
        case .throttled:
            // The end of the quota window determines the time of the next call.
            results[call.endpoint]?.failures = 0
        case .timeout, .rejected, .malformed:
            // An address may be at fault if the endpoint has answered before.
            guard results[call.endpoint]?.failures != 0 else { return }
            fallthrough
        case .unreachable, .unauthorized:
            guard let routeOpenSince, max(routeOpenSince, last ?? .start) < call.at else { return }
            results[call.endpoint]?.failures += 1
        case .offline, .quotaExhausted, .storeFailed: break
        }
    }

    /// Handles the cancellation of a call.
    mutating func cancelled(_ id: Call.ID) {
        sent[id] = nil
    }

    /// Whether the last call to some endpoint has certainly succeeded.
    var isAnyWorking: Bool {
        results.values.contains { $0.failedAt == nil }
    }
}
