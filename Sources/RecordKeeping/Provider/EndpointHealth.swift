/// The health of one endpoint of the provider, and the earliest time of its next call.
struct EndpointHealth: Hashable, Sendable {
    /// The alert about the current failures.
    enum Alert: Hashable, Sendable {
        /// No alert has been published. This is also the state of an endpoint that answers.
        case none
        /// An alert has been published. The cause may affect the other endpoint too.
        case published
        /// An alert has been published, and the other endpoint has answered since then.
        case confined
    }

    private(set) var state = ProviderState.idle
    private(set) var since: WallTime
    /// The last of the consecutive failures; nil while the endpoint answers.
    private(set) var failure: Failure?
    /// The end of the backoff after a failure. An administrator's request for a refresh or the return of the route ends
    /// it early, unless the state is `throttled`.
    private(set) var backoffEnd: BootTime?
    /// The end of the wait that the provider requested with `Retry-After` (RFC 9110 §10.2.3). Nothing ends this wait
    /// early.
    private(set) var retryAfterEnd: BootTime?
    /// The time at which the last successful call was sent; nil if there was none.
    private var succeededAt: BootTime?
    var alert = Alert.none

    /// Number of calls since the daemon started; `failures` is the number of those that failed.
    private(set) var calls = 0
    private(set) var failures = 0

    /// The delay between attempts, which grows to one minute. `Retry-After` and `Limits.maxTrialDelay` can postpone the
    /// next attempt further.
    private static let backoff = Backoff(cap: .seconds(60))

    init(since: WallTime) {
        self.since = since
    }

    /// Whether the last call failed. Until a call succeeds, calls are made one at a time, with one address each.
    var isFailing: Bool { failure != nil }

    /// The earliest time of the next call; nil if the health of the endpoint does not delay it.
    var retryAt: BootTime? { [backoffEnd, retryAfterEnd].compactMap(\.self).max() }

    mutating func called() {
        calls += 1
    }

    /// Records a successful call, which ends the series of failures. The exception is a call that was sent before the
    /// provider requested a wait: it does not show that the wait is over.
    mutating func succeeded(sentAt: BootTime, at now: Instant) {
        succeededAt = max(succeededAt ?? sentAt, sentAt)
        if let failure, retryAfterEnd != nil, sentAt <= failure.at.boot { return }
        (failure, backoffEnd, retryAfterEnd, alert) = (nil, nil, nil, .none)
        enter(.ok, at: now)
    }

    /// Records a failed call. Calls that were in flight together fail for the same reason, so only the first of their
    /// failures counts as an attempt and changes the state. A failure does not count if a call that was sent later has
    /// succeeded. If a call that was sent at the same time has succeeded, the failure counts only if the provider
    /// requests a wait.
    ///
    /// - Parameter mayRetryAtOnce: whether a quota window determines the time of the next call, so that no backoff is
    ///   needed.
    /// - Returns: whether the failure is the first of a series, or changes the state. A ban that follows a 429 changes
    ///   the state.
    mutating func failed(
        _ call: CallFailure, sentAt: BootTime, mayRetryAtOnce: Bool, at now: Instant, random: inout Random
    ) -> Bool {
        failures += 1
        if let failure, sentAt <= failure.at.boot {
            wait(for: call.retryAfter, at: now)
            return false
        }
        if let succeededAt, sentAt < succeededAt || (sentAt == succeededAt && call.retryAfter == nil) { return false }
        let attempts = (failure?.attempts ?? 0) + 1
        failure = Failure(kind: call.kind, message: call.message, at: now, attempts: attempts)
        let delay = Self.backoff.delay(afterAttempts: attempts, random: &random)
        backoffEnd = mayRetryAtOnce ? nil : now.boot + delay
        wait(for: call.retryAfter, at: now)
        let before = state
        enter(Self.state(for: call.kind), at: now)
        return attempts == 1 || state != before
    }

    /// Postpones the next call to the end of the wait in `Retry-After`, if that is later than the current end.
    private mutating func wait(for retryAfter: Duration?, at now: Instant) {
        guard let retryAfter else { return }
        let end = now.boot + min(retryAfter, Limits.maxRetryAfter)
        retryAfterEnd = max(end, retryAfterEnd ?? end)
    }

    /// Ends the backoff, unless the provider refused a call. If a refusal did not report when the quota window ends,
    /// the backoff takes the place of the window.
    mutating func retryNow() {
        if state != .throttled { backoffEnd = nil }
    }

    private mutating func enter(_ newState: ProviderState, at now: Instant) {
        guard newState != state else { return }
        state = newState
        since = now.wall
    }

    private static func state(for kind: Failure.Kind) -> ProviderState {
        switch kind {
        case .throttled: .throttled
        case .unauthorized: .unauthorized
        case .offline, .unreachable, .timeout, .rejected, .malformed, .quotaExhausted, .storeFailed: .failing
        }
    }

    // MARK: Saving and restoring

    mutating func restore(_ saved: SavedHealth, at now: Instant) {
        state = saved.state
        since = saved.since
        failure = saved.failure
        // The times may come from a wrong clock. They must neither make later failures look like earlier ones nor
        // extend the wait beyond its maximum.
        failure?.at.boot = min(saved.failure?.at.boot ?? now.boot, now.boot)
        let end = saved.retryAt?.boot
        if saved.isFromRetryAfter {
            retryAfterEnd = end.map { min($0, now.boot + Limits.maxRetryAfter) }
        } else {
            backoffEnd = end.map { min($0, now.boot + Self.backoff.cap) }
        }
        // The last run published the alert, or saved it in the same commit as the failure.
        alert = isFailing ? .published : .none
    }

    func saved(by provider: String, as endpoint: Call.Endpoint, at now: Instant) -> SavedHealth {
        SavedHealth(
            provider: provider, endpoint: endpoint, state: state, since: since, failure: failure,
            retryAt: retryAt.map { now.advanced(by: $0 - now.boot) },
            isFromRetryAfter: retryAfterEnd != nil && retryAfterEnd == retryAt)
    }
}
