package import RecordKeeping

/// One call that the modelled provider got.
package struct LoggedCall: Hashable, Sendable {
    /// Counted from 1 over the model's life.
    package let number: Int
    package let at: Instant
    package let endpoint: Call.Endpoint
    /// What was asked about, as it was written; at most a batch of them, each bounded.
    package let queries: [String]
    /// Nil where no response was sent.
    package let status: Int?
    /// What `X-Rl` told; nil without the header.
    package let remaining: Int?

    /// What was asked about and is an address.
    package var addresses: [IPAddress] { queries.compactMap { try? IPAddress($0) } }
}
