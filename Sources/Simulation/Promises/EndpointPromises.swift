import RecordKeeping

/// The promises about endpoints: while one of them fails, the other serves the addresses, and the quota of the failing
/// one is not spent on failures.
struct EndpointPromises {
    /// The results of the current process's calls to an endpoint.
    private struct Results {
        /// The time of the last failure; nil if there was none, or if a later success has ended the failures. A success
        /// does not end them if its call was sent before a requested wait.
        var failedAt: Moment?
        /// The number of consecutive failures that neither the route nor an address can have caused, each of a call
        /// that was sent after the previous failure and after the last successful call.
        var failures = 0
        /// The time at which the last successful call was sent.
        var succeededAt = Moment.start
        /// The time at which the last failed call was sent.
        var failedCallAt = Moment.start
        /// The end of the wait that the provider has certainly requested.
        var waitEnd = Moment.start
        /// The latest time at which the daemon may end a wait that the provider has requested.
        var latestWaitEnd = Moment.start
    }

    private var results: [Call.Endpoint: Results] = [:]
    /// The times at which the last failed and the last successful call of the current process to each endpoint ended.
    private(set) var lastFailure: [Call.Endpoint: Moment] = [:]
    private(set) var lastSuccess: [Call.Endpoint: Moment] = [:]
    /// The calls in flight.
    private var sent: [Call.ID: (endpoint: Call.Endpoint, addresses: [IPAddress], at: Moment)] = [:]
    /// The time at which the latest successful call to any endpoint was sent.
    private var succeededAt = Moment.start
    /// For each address, the times at which its failed calls since its last successful one were sent, without those
    /// that the route may have caused.
    private var failedCallsAt: [IPAddress: [Moment]] = [:]
    /// The time of the last request to refresh records, after which the daemon calls the provider at once.
    private var refreshRequested = Moment.start

    /// The number of failures after which the backoff has reached its maximum, and the shortest delay from then on.
    private static let (failures, backoff) = (8, Duration.seconds(29))

    /// Checks that a call to an endpoint waits as long as the provider has requested and, if the endpoint keeps
    /// failing, for the end of the backoff.
    ///
    /// - Parameter routesSince: the time of the last change of the routes, after which the daemon also calls the
    ///   provider at once.
    mutating func called(
        _ call: Call, routesSince: Moment, coverage: inout Coverage, at now: Moment
    ) throws(Violation) {
        sent[call.id] = (call.endpoint, call.addresses, now)
        if let end = results[call.endpoint]?.waitEnd, end > .start {
            coverage.count("checked: call after a requested wait")
            guard now >= end else {
                throw Violation(
                    promise: "the provider's request to wait is observed",
                    details: "a \(call.endpoint) call was sent \(end - now) too early", moment: now)
            }
        }
        guard let results = results[call.endpoint], results.failures >= Self.failures, let failedAt = results.failedAt,
            max(refreshRequested, routesSince + Conditions.starting) < failedAt
        else { return }
        coverage.count("checked: call to a failing endpoint")
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
    ///   - retryAfter: the wait that the provider has requested.
    ///   - routeOpenSince: the time since which the route has been open; nil if there is none, which may be the cause
    ///     of the failure.
    mutating func ended(
        _ id: Call.ID, _ kind: Failure.Kind?, retryAfter: Duration? = nil, routeOpenSince: Moment?, at now: Moment
    ) {
        guard let call = sent.removeValue(forKey: id) else { return }
        if kind == nil { lastSuccess[call.endpoint] = now } else { lastFailure[call.endpoint] = now }
        var result = results[call.endpoint] ?? Results()
        defer { results[call.endpoint] = result }
        if kind == nil {
            succeededAt = max(succeededAt, call.at)
            for address in call.addresses { failedCallsAt[address] = nil }
        } else if kind != .timeout, kind != .unreachable {
            for address in call.addresses { failedCallsAt[address, default: []].append(call.at) }
        }
        guard let kind else {
            let succeededAt = max(result.succeededAt, call.at)
            // A call that was sent before the request to wait says nothing about the wait.
            let endsWait = result.latestWaitEnd == .start || result.failedAt.map { $0 < call.at } ?? true
            result = Results(
                failedAt: endsWait ? nil : result.failedAt, succeededAt: succeededAt, failedCallAt: result.failedCallAt,
                waitEnd: endsWait ? .start : result.waitEnd,
                latestWaitEnd: endsWait ? .start : result.latestWaitEnd)
            return
        }
        // A call that was sent at the same time or later has shown that the endpoint works.
        if retryAfter == nil, call.at <= result.succeededAt { return }
        let last = result.failedAt
        (result.failedAt, result.failedCallAt) = (now, max(result.failedCallAt, call.at))
        if let end = retryAfter.map({ now + min($0, Limits.maxRetryAfter) }) {
            result.latestWaitEnd = max(result.latestWaitEnd, end)
            if let routeOpenSince, max(routeOpenSince + Conditions.starting, result.succeededAt) < call.at {
                result.waitEnd = max(result.waitEnd, end)
            }
        }
        switch kind {
        case .throttled:
            // The end of the quota window determines the time of the next call.
            result.failures = 0
        case .timeout, .rejected, .malformed:
            // An address may be at fault if the endpoint has answered before.
            guard result.failures != 0 else { return }
            fallthrough
        case .unreachable, .unauthorized:
            guard let routeOpenSince, max(routeOpenSince, last ?? .start, result.succeededAt) < call.at else { return }
            result.failures += 1
        case .offline, .quotaExhausted, .storeFailed: break
        }
    }

    /// Handles the start of a process. If the clock is wrong after a reboot, a restored wait may take up to its maximum
    /// again.
    ///
    /// - Parameter health: the health that the process restores.
    mutating func processBegan(restoring health: [SavedHealth], at now: Moment) {
        (results, sent, refreshRequested) = ([:], [:], .start)
        (lastFailure, lastSuccess) = ([:], [:])
        (succeededAt, failedCallsAt) = (.start, [:])
        for saved in health where saved.isFromRetryAfter {
            results[saved.endpoint] = Results(latestWaitEnd: now + Limits.maxRetryAfter)
        }
    }

    /// Checks that an address is reported as failed only if other calls succeeded between its failures: if none did,
    /// the provider may be the cause.
    mutating func reportedAsFailed(_ address: IPAddress, at now: Moment) throws(Violation) {
        // With fewer than two of these failures, the provider has rejected the address in a successful reply, or the
        // daemon also counts failures of an earlier process or failures that the route may have caused.
        guard let failed = failedCallsAt.removeValue(forKey: address), failed.count > 1 else { return }
        let previous = failed[failed.count - 2]
        guard succeededAt >= previous else {
            throw Violation(
                promise: "no address is blamed for a failure of the provider",
                details: "\(address) was reported as failed, although no call has succeeded since \(previous)",
                moment: now)
        }
    }

    /// Whether the daemon may be waiting at the provider's request, or may have stopped waiting only recently.
    func mayWait(for endpoint: Call.Endpoint, at now: Moment) -> Bool {
        results[endpoint].map { now < $0.latestWaitEnd + Conditions.callBackoff } ?? false
    }

    /// Handles the cancellation of a call.
    ///
    /// - Returns: its endpoint.
    mutating func cancelled(_ id: Call.ID) -> Call.Endpoint? {
        sent.removeValue(forKey: id)?.endpoint
    }

    /// Whether the last call to at least one endpoint has certainly succeeded.
    var isAnyWorking: Bool {
        results.values.contains {
            $0.succeededAt > .start && $0.succeededAt >= $0.failedCallAt && $0.failedAt == nil
                && $0.latestWaitEnd == .start
        }
    }
}
