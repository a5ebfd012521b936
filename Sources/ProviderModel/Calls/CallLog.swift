import RecordKeeping

/// A bounded log of the most recent calls, oldest first.
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
        // Dropping old calls in bulk takes amortized constant time per call.
        if kept.count >= 2 * capacity { kept.removeFirst(kept.count - capacity) }
    }

    /// Drops all calls; the numbering continues.
    mutating func clear() {
        kept = []
    }
}
