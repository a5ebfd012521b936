import IPAPI
import ProviderModel
import RecordKeeping

/// The provider at the other end of a network, with real requests and replies. It bans clients that exceed a quota.
struct SimulatedProvider {
    /// The kind of provider, which determines what the daemon knows of the quota in advance.
    enum Kind: CaseIterable, Sendable {
        /// The free tier, with documented limits.
        case free
        /// A provider with a quota that is not documented.
        case undocumented
        /// The paid service, without a quota.
        case paid
    }

    /// The identity and the quotas of a provider.
    struct Character: Sendable {
        /// The index among the providers of the plan.
        let number: Int
        let kind: Kind
        /// Requests per window of an undocumented provider. An endpoint that is missing here has the free tier's limit.
        let quotas: [Call.Endpoint: Int]

        fileprivate var endpoint: String {
            switch kind {
            case .free: "http://ip-api.com"
            case .undocumented: "http://provider-\(number).test"
            case .paid: "https://pro.ip-api.com"
            }
        }
    }

    /// The result of a request, with its delay.
    enum Outcome {
        case replied(RawReply, after: Duration)
        case failed(Failure.Kind, String, after: Duration)
    }

    let character: Character
    let provider: Provider
    let decoder: ReplyDecoder
    var model: ProviderModel
    /// Requests do not arrive until this moment, although there is a route.
    var downUntil = Moment.start
    /// Every reply is slow until this moment.
    var slowUntil = Moment.start
    /// Faults of one endpoint, while the other works.
    private var endpointFaults: [Call.Endpoint: (fault: Fault, until: Moment)] = [:]
    /// The announced quotas of both endpoints.
    private(set) var announced: [Call.Endpoint: AnnouncedQuota] = [:]

    static let timeout = Duration.seconds(10)
    /// The length of a quota window.
    static let window = ModelSettings().window

    /// - Parameters:
    ///   - isStrict: whether the provider allows fewer requests than it documents.
    ///   - isForgiving: whether the provider never bans clients, since others spend the same quota.
    init(_ character: Character, isStrict: Bool, isForgiving: Bool) throws {
        self.character = character
        var settings = ModelSettings()
        settings.loggedCalls = 1
        settings.offencesUntilBan = isForgiving ? nil : 1
        if character.kind == .undocumented {
            settings.singleQuota = character.quotas[.single] ?? settings.singleQuota
            settings.batchQuota = character.quotas[.batch] ?? settings.batchQuota
        }
        if isStrict { (settings.singleQuota, settings.batchQuota) = (2, 2) }
        if character.kind == .paid { (settings.singleQuota, settings.batchQuota) = (nil, nil) }
        provider = try Provider(endpoint: character.endpoint)
        decoder = ReplyDecoder(provider)
        model = ProviderModel(settings)
        for endpoint in Call.Endpoint.allCases {
            announced[endpoint] = AnnouncedQuota(originalLimit: model.quota(of: endpoint))
        }
    }

    /// Returns the daemon's settings for this provider.
    func settings(_ plan: Plan) -> Settings {
        var settings = Settings(
            interval: plan.interval, keepHistory: plan.keepHistory, providerName: provider.name,
            providerEndpoint: provider.endpoint,
            documentedLimits: provider.documentedLimits)
        settings.capacity = plan.capacity
        return settings
    }

    /// Returns the time in whole seconds until the quota window ends, or its whole length if none is open; nil if there
    /// is no quota.
    func windowRest(of endpoint: Call.Endpoint, at now: Moment) -> Duration? {
        model.window(of: endpoint, at: BootTime(nanoseconds: now.nanoseconds)).map { .seconds($0.wholeSeconds) }
    }

    /// Returns the number of requests left in the current window, or in the next one if none is open.
    func remaining(of endpoint: Call.Endpoint, at now: Moment) -> Int {
        model.window(of: endpoint, at: BootTime(nanoseconds: now.nanoseconds))?.remaining ?? .max
    }

    /// Ends all faults.
    mutating func heal(at now: Moment) {
        model.clearFaults()
        (downUntil, slowUntil) = (min(downUntil, now), min(slowUntil, now))
        endpointFaults = [:]
    }

    // MARK: Faults of one endpoint, and the quota

    mutating func breakEndpoint(_ endpoint: Call.Endpoint, with fault: Fault, until end: Moment) {
        endpointFaults[endpoint] = (fault, end)
    }

    /// Lets a neighbour send requests.
    mutating func countNeighbours(_ calls: Int, at endpoint: Call.Endpoint, at now: Moment) {
        for _ in 0..<calls {
            _ = noteWindow(of: endpoint, at: now)
            model.countNeighbour(at: endpoint, at: BootTime(nanoseconds: now.nanoseconds))
        }
        announced[endpoint]?.neighbourCalled()
    }

    /// Notes that the next request begins a window, if none is open.
    ///
    /// - Returns: whether the next request begins a window.
    private mutating func noteWindow(of endpoint: Call.Endpoint, at now: Moment) -> Bool {
        guard let rest = windowRest(of: endpoint, at: now), rest == Self.window,
            let limit = model.quota(of: endpoint)
        else { return false }
        announced[endpoint]?.windowOpened(limit: limit, at: now)
        return true
    }

    /// Handles a reply that has reached the daemon.
    mutating func received(_ report: AnnouncedQuota.Report, about endpoint: Call.Endpoint, at now: Moment) {
        announced[endpoint]?.received(report, at: now)
    }

    /// Handles a commit that has been written and contains the quota of an endpoint.
    ///
    /// - Parameter madeAt: the time at which the core made the commit.
    mutating func stored(_ endpoint: Call.Endpoint, madeAt: Moment) {
        announced[endpoint]?.stored(madeAt: madeAt)
    }

    /// Handles the end of a process that called this provider.
    mutating func processEnded() {
        for endpoint in Call.Endpoint.allCases { announced[endpoint]?.processEnded() }
    }

    /// Handles a call to an endpoint that has ended without a reply.
    mutating func lost(_ endpoint: Call.Endpoint, at now: Moment) {
        announced[endpoint]?.lost(at: now)
    }

    // MARK: Replies

    /// Handles a request that has arrived. The provider's clock is always correct.
    ///
    /// - Returns: the outcome, and the quota that the reply reports; nil if there is no quota.
    mutating func answer(
        _ call: Call, sentAt: Instant, at now: Moment
    ) -> (outcome: Outcome, report: AnnouncedQuota.Report?) {
        let isFirst = noteWindow(of: call.endpoint, at: now)
        let fault = endpointFaults[call.endpoint].flatMap { now < $0.until ? $0.fault : nil }
        if let fault { model.inject(fault, calls: 1) }
        let outcome = respond(to: call, sentAt: sentAt, at: now)
        // The provider may have refused the request before the fault.
        if let fault { model.inject(fault, calls: 0) }
        guard let window = model.window(of: call.endpoint, at: BootTime(nanoseconds: now.nanoseconds)) else {
            return (outcome, nil)
        }
        let report = AnnouncedQuota.Report(
            window: announced[call.endpoint]?.window ?? 0, remaining: window.remaining, isFirst: isFirst)
        return (outcome, report)
    }

    private mutating func respond(to call: Call, sentAt: Instant, at now: Moment) -> Outcome {
        let request = ProviderRequest(call, to: provider)
        let response = model.answer(
            ModelRequest(
                method: request.method, path: request.path, query: request.query, body: request.body ?? []),
            at: Instant(
                boot: BootTime(nanoseconds: now.nanoseconds), wall: WallTime(milliseconds: now.nanoseconds / 1_000_000))
        )
        func whole(after delay: Duration) -> Outcome {
            let headers = response.headers.map { (name: $0.name, value: $0.value) }
            let reply = RawReply(status: response.status, headers: headers, body: response.body, sentAt: sentAt)
            return delay < Self.timeout
                ? .replied(reply, after: delay) : .failed(.timeout, "too slow", after: Self.timeout)
        }
        return switch response.delivery {
        case .whole: whole(after: .zero)
        case .after(let delay): whole(after: delay)
        case .dripping(let pause): whole(after: pause * response.body.count)
        case .cutShort: .failed(.malformed, "the reply was truncated", after: .zero)
        case .endless: .failed(.malformed, "the reply is too long", after: .seconds(1))
        case .never: .failed(.timeout, "no reply", after: Self.timeout)
        case .reset: .failed(.unreachable, "the connection was reset", after: .zero)
        }
    }
}
