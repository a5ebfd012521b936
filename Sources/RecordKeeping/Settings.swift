/// The configuration of the core, validated by the caller.
package struct Settings: Hashable, Sendable {
    /// Time for which a record is valid, counted from the call that fetched it. Greater than zero.
    package var interval: Duration {
        didSet { intervalNanoseconds = interval.wholeNanoseconds }
    }
    /// The interval in nanoseconds, cached because each reply that contains a record uses it.
    private(set) var intervalNanoseconds: Int64
    /// Time between the first route event of a burst and the route check.
    package var debounce: Duration
    /// Minimum time for which events, changes and outages are kept.
    package var keepHistory: Duration
    /// The provider's name in messages, and in records of a remote provider: the host name of its endpoint.
    package var providerName: String
    /// The server whose route is checked, for messages: the provider, or the proxy through which it is called.
    package var routeName: String
    /// The provider's normalized URL, or `localEndpoint`. Saved quotas and failures apply only to the provider from
    /// which they were received.
    package var providerEndpoint: String
    package var providerKind: ProviderKind

    /// The resources that clients may use at the same time.
    package var capacity = Capacity()

    /// The facts of a record whose changes raise alerts. Other changes are only added to the history and published.
    package var alertFacts: Set<Record.Fact>

    /// The fields whose changes raise alerts by default.
    package static let defaultAlertFields: [Record.Field] = [.country, .city, .as, .isp, .proxy, .hosting]

    /// The limits of ip-api.com (docs/api:json and docs/api:batch, "Usage limits").
    package static let documentedLimits: [Call.Endpoint: Int] = [.single: 45, .batch: 15]

    /// The window in which ip-api.com counts requests (docs/api:json, "Usage limits").
    package static let documentedWindow = Duration.seconds(60)

    /// The endpoint of local databases, which is not a URL.
    package static let localEndpoint = "mmdb"

    /// Creates settings for a remote provider.
    ///
    /// - Parameter routeName: nil for the provider's name.
    package init(
        interval: Duration = .seconds(300), debounce: Duration = .milliseconds(250),
        keepHistory: Duration = .seconds(90 * 86_400), providerName: String = "ip-api.com",
        routeName: String? = nil, providerEndpoint: String = "http://ip-api.com",
        documentedLimits: [Call.Endpoint: Int] = Settings.documentedLimits,
        alertFields: [Record.Field] = Settings.defaultAlertFields
    ) {
        alertFacts = Set(alertFields.map(\.fact))
        self.interval = interval
        intervalNanoseconds = interval.wholeNanoseconds
        self.debounce = debounce
        self.keepHistory = keepHistory
        self.providerName = providerName
        self.routeName = routeName ?? providerName
        self.providerEndpoint = providerEndpoint
        providerKind = .remote(documentedLimits: documentedLimits)
    }

    /// Makes the provider local.
    ///
    /// - Parameter version: the version of the databases at startup; nil if none of them can be read.
    package mutating func useLocalDatabases(_ version: DataVersion?) {
        (providerName, providerEndpoint) = ("local databases", Self.localEndpoint)
        routeName = providerName
        providerKind = .local(version: version)
    }

    /// Returns whether an event is logged in the journal. Its kind must be an alert, and a `changed` event must have a
    /// field that belongs to one of `alertFacts`.
    package func isAlert(_ event: PublishedEvent) -> Bool {
        guard event.kind == .changed else { return event.kind.isAlert }
        return event.fields.contains { change in
            Record.Field(rawValue: change.field).map { alertFacts.contains($0.fact) } ?? false
        }
    }
}
