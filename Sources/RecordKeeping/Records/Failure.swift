/// Why the last call brought no record.
package struct Failure: Hashable, Sendable {
    /// The kinds that the control interface tells apart.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// There is no way to the provider, so no call was made.
        case offline
        /// No connection, or one that broke: the name was not found, refused, reset, TLS failed.
        case unreachable
        /// A connection, and no whole reply in time.
        case timeout
        /// HTTP 429, or the provider's quota is used up.
        case throttled
        /// HTTP 401 or 403: no key, a wrong key, https on the free tier, or a ban.
        case unauthorized
        /// Any other HTTP status that is no success.
        case rejected
        /// An HTTP success whose body is not what the provider documents, or lacks the address.
        case malformed
    }

    package var kind: Kind
    /// What happened, as a sentence that a person can act on.
    package var message: String
    /// When the last of the attempts failed.
    package var at: Instant
    /// How many attempts in a row have failed.
    package var attempts: Int

    package init(kind: Kind, message: String, at: Instant, attempts: Int) {
        self.kind = kind
        self.message = message
        self.at = at
        self.attempts = attempts
    }
}
