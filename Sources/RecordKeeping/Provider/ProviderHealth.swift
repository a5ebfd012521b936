/// The health of the provider as a whole, and the earliest time of the next call.
struct ProviderHealth: Hashable, Sendable {
    private(set) var state = ProviderState.idle
    private(set) var since: WallTime
    /// The last of the consecutive failures; nil while the provider answers.
    private(set) var failure: Failure?
    /// The earliest time of the next call; nil if the provider's health does not delay it.
    private(set) var retryAt: BootTime?

    /// Number of calls since the daemon started; `failures` and `lastCallAt` also cover only these calls.
    private(set) var calls = 0
    private(set) var failures = 0
    private(set) var lastCallAt: WallTime?

    /// The provider is tried again after at most one minute.
    private static let backoff = Backoff(cap: .seconds(60))

    /// Whether the last call failed. Until a call succeeds, calls are made one at a time, with one address each.
    var isFailing: Bool { failure != nil }

    mutating func called(at now: Instant) {
        calls += 1
        lastCallAt = now.wall
    }

    /// Records a successful call.
    ///
    /// - Returns: whether it ended a failure.
    mutating func succeeded(at now: Instant) -> Bool {
        let hadFailed = failure != nil
        failure = nil
        retryAt = nil
        enter(.ok, at: now)
        return hadFailed
    }

    /// Records a failed call.
    ///
    /// - Parameter mayRetryAtOnce: whether a quota window determines the time of the next call, so that no backoff is
    ///   needed.
    /// - Returns: whether the failure is the first of a series, or changes the provider's state. A ban that follows a
    ///   429 changes the state.
    mutating func failed(
        _ call: CallFailure, mayRetryAtOnce: Bool, at now: Instant, random: inout Random
    ) -> Bool {
        let attempts = (failure?.attempts ?? 0) + 1
        failures += 1
        failure = Failure(kind: call.kind, message: call.message, at: now, attempts: attempts)
        let delay = Self.backoff.delay(afterAttempts: attempts, random: &random)
        retryAt = mayRetryAtOnce ? nil : now.boot + delay
        let before = state
        enter(Self.state(for: call.kind), at: now)
        return attempts == 1 || state != before
    }

    /// Ends the backoff. Called when the route has returned or an administrator requests a refresh.
    mutating func retryNow() {
        retryAt = nil
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

    mutating func restore(_ saved: SavedProvider, at now: Instant) {
        state = saved.state
        since = saved.since
        failure = saved.failure
        // A wrong wall clock must not extend the wait beyond the maximum backoff.
        retryAt = saved.retryAt.map { min($0.boot, now.boot + Self.backoff.cap) }
    }

    func saved(by endpoint: String, at now: Instant) -> SavedProvider {
        SavedProvider(
            endpoint: endpoint, state: state, since: since, failure: failure,
            retryAt: retryAt.map { now.advanced(by: $0 - now.boot) })
    }
}
