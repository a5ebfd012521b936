import IPAPI
import ProviderModel
import RecordKeeping

/// The provider at the other end of a network: bytes of real requests in, bytes of real replies out.
struct SimulatedProvider {
    /// Who is asked, and what is known of its quota beforehand.
    enum Kind: CaseIterable, Sendable {
        /// The free tier, whose limits are documented. It bans whoever sends what it said it would refuse.
        case free
        /// The same at an address of which nothing is documented.
        case undocumented
        /// No quota at all.
        case paid
    }

    /// Which one, and what it allows.
    struct Character: Sendable {
        /// Among those of its plan.
        let number: Int
        let kind: Kind
        /// Requests a window where nothing is documented; as many as elsewhere for an endpoint that is not named.
        let quotas: [Call.Endpoint: Int]

        fileprivate var endpoint: String {
            switch kind {
            case .free: "http://ip-api.com"
            case .undocumented: "http://provider-\(number).test"
            case .paid: "https://pro.ip-api.com"
            }
        }
    }

    /// What comes of a request, and when.
    enum Outcome {
        case replied(RawReply, after: Duration)
        case failed(Failure.Kind, String, after: Duration)
    }

    let character: Character
    let provider: Provider
    let decoder: ReplyDecoder
    private(set) var model: ProviderModel
    /// Requests get nowhere until then, although there is a way.
    var downUntil = Moment.start
    /// Every reply takes long until then.
    var slowUntil = Moment.start

    static let timeout = Duration.seconds(10)
    /// How long a window of quota is.
    static let window = ModelSettings().window

    /// - Parameter isStrict: it allows less than it documents.
    init(_ character: Character, isStrict: Bool) throws {
        self.character = character
        var settings = ModelSettings()
        settings.loggedCalls = 1
        settings.offencesUntilBan = 1
        if character.kind == .undocumented {
            settings.singleQuota = character.quotas[.single] ?? settings.singleQuota
            settings.batchQuota = character.quotas[.batch] ?? settings.batchQuota
        }
        if isStrict { (settings.singleQuota, settings.batchQuota) = (2, 2) }
        if character.kind == .paid { (settings.singleQuota, settings.batchQuota) = (nil, nil) }
        provider = try Provider(endpoint: character.endpoint)
        decoder = ReplyDecoder(provider)
        model = ProviderModel(settings)
    }

    /// What the daemon's configuration says of it.
    func settings(_ plan: Plan) -> Settings {
        Settings(
            interval: plan.interval, keepHistory: plan.keepHistory, providerName: provider.name,
            providerEndpoint: provider.endpoint,
            documentedLimits: documentedLimits)
    }

    var documentedLimits: [Call.Endpoint: Int] {
        Dictionary(
            uniqueKeysWithValues: Call.Endpoint.allCases.compactMap { endpoint in
                provider.documentedLimit(of: endpoint).map { (endpoint, $0) }
            })
    }

    mutating func change(_ address: IPAddress) { model.change(address) }

    mutating func inject(_ fault: Fault, calls: Int) { model.inject(fault, calls: calls) }

    /// How long its window of quota is still open, in whole seconds, or would be; nil where there is no quota.
    func windowRest(of endpoint: Call.Endpoint, at now: Moment) -> Duration? {
        model.window(of: endpoint, at: BootTime(nanoseconds: now.nanoseconds)).map { .seconds($0.wholeSeconds) }
    }

    mutating func heal() {
        model.clearFaults()
        (downUntil, slowUntil) = (.start, .start)
    }

    /// A request has arrived; the provider's clock is the truth.
    mutating func answer(_ call: Call, sentAt: Instant, at now: Moment) -> Outcome {
        let request = ProviderRequest(call, to: provider)
        let response = model.answer(
            ModelRequest(
                method: request.method.rawValue, path: request.path, query: request.query, body: request.body ?? []),
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
        case .cutShort: .failed(.malformed, "the reply broke off", after: .zero)
        case .endless: .failed(.malformed, "the reply has no end", after: .seconds(1))
        case .never: .failed(.timeout, "no reply", after: Self.timeout)
        case .reset: .failed(.unreachable, "the connection was reset", after: .zero)
        }
    }
}
