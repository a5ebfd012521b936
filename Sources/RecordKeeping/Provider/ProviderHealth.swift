/// The health of the provider: the health of each endpoint, and the alerts that follow from both.
///
/// If one endpoint fails, the other serves all addresses, and the failing one is tried from time to time. If both fail
/// with the same state and without a success in between, they are presumed to have one cause, and there is one alert.
struct ProviderHealth: Hashable, Sendable {
    /// The scope of the recovery alert that a successful call causes.
    enum Recovery: Hashable, Sendable {
        case none
        /// The endpoint answers again. The other one did not fail for the same reason.
        case endpoint
        /// The provider as a whole answers again.
        case provider
    }

    private var single: EndpointHealth
    private var batch: EndpointHealth
    /// The time of the last call since the daemon started.
    private(set) var lastCallAt: WallTime?
    /// The time of the last failure since the daemon started.
    private var lastFailureAt: BootTime?
    /// Whether any call that was sent after the last failure has succeeded, regardless of its endpoint.
    private(set) var hasSucceededSinceFailure = false

    init(since: WallTime) {
        single = EndpointHealth(since: since)
        batch = EndpointHealth(since: since)
    }

    private(set) subscript(endpoint: Call.Endpoint) -> EndpointHealth {
        get {
            switch endpoint {
            case .single: single
            case .batch: batch
            }
        }
        set {
            switch endpoint {
            case .single: single = newValue
            case .batch: batch = newValue
            }
        }
    }

    // MARK: The provider as a whole

    /// The endpoint with the worst state, whose state and failure represent the provider.
    var worst: EndpointHealth { single.state.severity > batch.state.severity ? single : batch }

    /// Whether no endpoint answers.
    var isFailing: Bool { failure != nil }

    /// The latest failure if no endpoint answers; otherwise nil.
    var failure: Failure? {
        guard let one = single.failure, let other = batch.failure else { return nil }
        return one.at.boot > other.at.boot ? one : other
    }

    /// Number of calls since the daemon started; `failures` is the number of those that failed.
    var calls: Int { single.calls + batch.calls }
    var failures: Int { single.failures + batch.failures }

    /// The earliest time of the next call; nil unless both endpoints are delayed.
    var retryAt: BootTime? {
        guard let one = single.retryAt, let other = batch.retryAt else { return nil }
        return min(one, other)
    }

    // MARK: Results of calls

    mutating func called(_ endpoint: Call.Endpoint, at now: Instant) {
        self[endpoint].called()
        lastCallAt = now.wall
    }

    /// Records a successful call to an endpoint.
    ///
    /// - Parameter sentAt: when the call was sent.
    mutating func succeeded(_ endpoint: Call.Endpoint, sentAt: BootTime, at now: Instant) -> Recovery {
        let alert = self[endpoint].alert
        self[endpoint].succeeded(sentAt: sentAt, at: now)
        if lastFailureAt.map({ sentAt > $0 }) ?? true { hasSucceededSinceFailure = true }
        guard !self[endpoint].isFailing else { return .none }
        switch (alert, self[endpoint.other].alert) {
        case (.published, .published):
            // One alert covered the failures of both endpoints, and ends now.
            self[endpoint.other].alert = .none
            return .provider
        case (_, .published):
            self[endpoint.other].alert = .confined
            return alert == .none ? .none : .endpoint
        case (.none, _): return .none
        case (.confined, _), (.published, .confined): return .endpoint
        case (.published, .none): return self[endpoint.other].isFailing ? .endpoint : .provider
        }
    }

    /// Records a failed call to an endpoint.
    ///
    /// - Parameters:
    ///   - sentAt: when the call was sent.
    ///   - mayRetryAtOnce: whether a quota window determines the time of the next call, so that no backoff is needed.
    /// - Returns: whether an alert is to be published.
    mutating func failed(
        _ call: CallFailure, of endpoint: Call.Endpoint, sentAt: BootTime, mayRetryAtOnce: Bool, at now: Instant,
        random: inout Random
    ) -> Bool {
        let isNew = self[endpoint].failed(
            call, sentAt: sentAt, mayRetryAtOnce: mayRetryAtOnce, at: now, random: &random)
        guard self[endpoint].isFailing else { return false }
        (lastFailureAt, hasSucceededSinceFailure) = (now.boot, false)
        let (alert, other) = (self[endpoint].alert, self[endpoint.other])
        guard isNew || alert == .none else { return false }
        if alert == .none { self[endpoint].alert = .published }
        // The alert of the other endpoint covers this failure too, if it has the same effect.
        return alert == .confined || other.alert != .published || other.state != self[endpoint].state
    }

    /// Ends the backoff. Called when the route has returned or an administrator requests a refresh.
    mutating func retryNow() {
        for endpoint in Call.Endpoint.allCases { self[endpoint].retryNow() }
    }

    // MARK: Saving and restoring

    mutating func restore(_ saved: SavedHealth, at now: Instant) {
        self[saved.endpoint].restore(saved, at: now)
        for endpoint in Call.Endpoint.allCases
        where self[endpoint].alert == .published && self[endpoint.other].state == .ok {
            self[endpoint].alert = .confined
        }
    }
}

extension Call.Endpoint {
    /// The other endpoint, which serves the addresses while this one fails.
    package var other: Self {
        switch self {
        case .single: .batch
        case .batch: .single
        }
    }
}

extension ProviderState {
    /// A larger number for a state that needs more attention.
    fileprivate var severity: Int {
        switch self {
        case .idle: 0
        case .ok: 1
        case .throttled: 2
        case .failing: 3
        case .unauthorized: 4
        }
    }
}
