/// How the provider as a whole has been answering, and when it may be asked again.
struct ProviderHealth: Hashable, Sendable {
    private(set) var state = ProviderState.idle
    private(set) var since: WallTime
    /// The last of the failures in a row; nil while it answers.
    private(set) var failure: Failure?
    /// No call before this.
    private(set) var retryAt: BootTime?

    /// Since the daemon started.
    private(set) var calls = 0
    private(set) var failures = 0
    private(set) var lastCallAt: WallTime?

    /// "at most a minute for the provider as a whole"
    private static let backoff = Backoff(cap: .seconds(60))

    init(since: WallTime) {
        self.since = since
    }

    /// It failed last: one call of one address at a time, until one succeeds.
    var isFailing: Bool { failure != nil }

    mutating func called(at now: Instant) {
        calls += 1
        lastCallAt = now.wall
    }

    /// - Returns: whether that ended a failure.
    mutating func succeeded(at now: Instant) -> Bool {
        let hadFailed = failure != nil
        failure = nil
        retryAt = nil
        enter(.ok, at: now)
        return hadFailed
    }

    /// - Parameter mayRetryAtOnce: a quota window says by itself when the next call may go.
    /// - Returns: whether the failure is new, and not one more in a row of the same sort: a ban that follows on a 429 is news.
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

    /// The next call need not wait: the way is back, or somebody with rights asks for it.
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
        case .offline, .unreachable, .timeout, .rejected, .malformed: .failing
        }
    }

    // MARK: Outliving a restart

    mutating func restore(_ saved: SavedProvider, at now: Instant) {
        state = saved.state
        since = saved.since
        failure = saved.failure
        // A wall clock that was wrong must not make the wait longer than any backoff is.
        retryAt = saved.retryAt.map { min($0.boot, now.boot + Self.backoff.cap) }
    }

    func saved(by endpoint: String, at now: Instant) -> SavedProvider {
        SavedProvider(
            endpoint: endpoint, state: state, since: since, failure: failure,
            retryAt: retryAt.map { now.advanced(by: $0 - now.boot) })
    }
}
