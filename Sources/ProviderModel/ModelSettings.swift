/// How strict the modelled provider is. As it comes: the free tier of ip-api.com, which does not ban.
package struct ModelSettings: Hashable, Sendable {
    /// Requests a window to `/json`; nil for no limit, and then no `X-Rl` and `X-Ttl` headers, as on the paid side.
    package var singleQuota: Int? = 45
    /// Requests a window to `/batch`; nil as above.
    package var batchQuota: Int? = 15
    package var window = Duration.seconds(60)
    /// After how many 429s of this model's own the caller is banned; nil for never.
    package var offencesUntilBan: Int?
    /// How long a ban lasts; nil for good. The provider's pages say both.
    package var banLength: Duration? = .seconds(3_600)
    /// The key that a request must have; nil for none.
    package var requiredKey: String?
    /// How many districts each city has, and how many customers each network: the more, the fewer addresses have either in
    /// common. At least 1.
    package var variety = 1
    /// How many calls are kept for whoever asks what was called; older ones are forgotten.
    package var loggedCalls = 10_000

    package init() {}
}
