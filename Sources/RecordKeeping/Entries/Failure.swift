/// The reason why no record could be fetched.
package struct Failure: Hashable, Sendable {
    /// The kinds of failure that the control interface distinguishes.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// There is no route to the provider, or the call was cancelled.
        case offline
        /// The connection could not be made or was lost: the name did not resolve, the connection was refused or reset,
        /// or TLS failed.
        case unreachable
        /// The connection or the complete reply took too long.
        case timeout
        /// HTTP 429: the provider refused a call because its quota is used up.
        case throttled
        /// HTTP 401 or 403: no key, a wrong key, https on the free tier, or a ban.
        case unauthorized
        /// Any other HTTP status that does not indicate success.
        case rejected
        /// A successful HTTP reply whose body does not have the documented form, or does not contain the address.
        case malformed
        /// The refresh waits for the next window of the provider's quota.
        case quotaExhausted
        /// The database accepts no changes, so no calls are made.
        case storeFailed
    }

    package var kind: Kind
    /// A description of the failure, with enough detail for a person to act on.
    package var message: String
    /// The time at which the last attempt failed.
    package var at: Instant
    /// Number of consecutive failed attempts; 0 if no attempt was made because there is no route or no quota left.
    package var attempts: Int

    package init(kind: Kind, message: String, at: Instant, attempts: Int) {
        self.kind = kind
        self.message = message
        self.at = at
        self.attempts = attempts
    }
}
