/// The limits of the model. The defaults are those of the free tier of ip-api.com, without bans.
package struct ModelSettings: Hashable, Sendable {
    /// The number of requests to `/json` per window. If it is nil, there is no limit, and the headers `X-Rl` and
    /// `X-Ttl` are not sent, as with a paid key.
    package var singleQuota: Int? = 45
    /// The number of requests to `/batch` per window; nil has the same meaning as for `singleQuota`.
    package var batchQuota: Int? = 15
    /// The length of a quota window.
    package var window = Duration.seconds(60)
    /// The number of requests refused with 429 after which the client is banned; nil for no bans.
    package var offencesUntilBan: Int?
    /// The length of a ban; nil for a permanent ban. The provider's pages mention both kinds.
    package var banLength: Duration? = .seconds(3_600)
    /// The key that a request must contain; nil for none.
    package var requiredKey: String?
    /// The number of districts of each city, and of customers of each network; at least 1. The larger the number, the
    /// fewer addresses share a place or a network.
    package var variety = 1
    /// Whether each address has a postal code and a reverse name that no other address has.
    package var hasDistinctTexts = false
    /// Whether the elements of batch replies are kept in memory, so that they are created only once.
    package var keepsElements = false
    /// The number of calls that the log keeps; older ones are dropped.
    package var loggedCalls = 10_000

    package init() {}
}
