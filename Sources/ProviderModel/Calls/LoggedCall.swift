package import RecordKeeping

/// A call that the model of the provider received.
package struct LoggedCall: Hashable, Sendable {
    /// The number of the call, counted from 1 since the model was created.
    package let number: Int
    package let at: Instant
    package let endpoint: Call.Endpoint
    /// The queries as written, at most as many as in a full batch, with each query truncated to 64 characters.
    package let queries: [String]
    /// The HTTP status; nil if no response was sent.
    package let status: Int?
    /// The value of `X-Rl`; nil if the endpoint has no quota.
    package let remaining: Int?

    /// The queries that are addresses.
    package var addresses: [IPAddress] { queries.compactMap { try? IPAddress($0) } }
}
