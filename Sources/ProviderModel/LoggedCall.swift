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

/// The last calls, oldest first: a bounded log.
struct CallLog: Hashable, Sendable {
    private(set) var total = 0
    private let capacity: Int
    private var kept: [LoggedCall] = []

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var calls: [LoggedCall] { kept.suffix(capacity) }

    mutating func append(
        at now: Instant, endpoint: Call.Endpoint, queries: [String], status: Int?, remaining: Int?
    ) {
        total += 1
        let bounded = queries.prefix(Limits.addressesPerBatch).map { String($0.prefix(64)) }
        kept.append(
            LoggedCall(
                number: total, at: now, endpoint: endpoint, queries: bounded, status: status, remaining: remaining))
        // Forgetting in bulk makes it constant time a call.
        if kept.count >= 2 * capacity { kept.removeFirst(kept.count - capacity) }
    }

    /// Forgets the calls; numbers go on.
    mutating func clear() {
        kept = []
    }
}
