/// What the configuration says of the core; checked before it gets here.
package struct Settings: Hashable, Sendable {
    /// How long a record lives, from the call that created it. Above zero.
    package var interval: Duration {
        didSet { intervalNanoseconds = interval.wholeNanoseconds }
    }
    /// The same; every record that is told is measured with it.
    private(set) var intervalNanoseconds: Int64
    /// How long route events are gathered before the kernel is asked.
    package var settle: Duration
    /// How long notices and the history of changes are kept.
    package var keepHistory: Duration
    /// The provider's name, as records tell it: the endpoint's host name.
    package var providerName: String
    /// Who is asked, in one spelling: what is left of a quota, and whether somebody is banned, is between us and this provider.
    package var providerEndpoint: String
    /// Requests a window of `documentedWindow`, for a provider whose limits are documented; empty for any other, whose
    /// replies have to tell.
    package var documentedLimits: [Call.Endpoint: Int]

    /// ip-api.com counts its requests by the minute (docs/api:json, "Usage limits").
    package static let documentedWindow = Duration.seconds(60)

    package init(
        interval: Duration = .seconds(300), settle: Duration = .milliseconds(250),
        keepHistory: Duration = .seconds(90 * 86_400), providerName: String = "ip-api.com",
        providerEndpoint: String = "http://ip-api.com",
        documentedLimits: [Call.Endpoint: Int] = [.single: 45, .batch: 15]
    ) {
        self.interval = interval
        intervalNanoseconds = interval.wholeNanoseconds
        self.settle = settle
        self.keepHistory = keepHistory
        self.providerName = providerName
        self.providerEndpoint = providerEndpoint
        self.documentedLimits = documentedLimits
    }
}
