/// What the provider answered about an address: a record, or that it has none.
package enum Answer: Hashable, Sendable {
    case record(Record)
    /// The provider's `fail`, with its message ("reserved range"). It lives for one interval like a record.
    case empty(reason: String)

    package var record: Record? {
        if case .record(let record) = self { record } else { nil }
    }

    package var emptyReason: String? {
        if case .empty(let reason) = self { reason } else { nil }
    }
}

/// An answer and the moment of the call that brought it, from which its life of one interval is counted.
package struct Scan: Hashable, Sendable {
    package var answer: Answer
    /// When the call was sent. After a reboot `boot` is what the wall clock says the age is, held within one interval.
    package var at: Instant
    /// Which provider said so: the endpoint's host name.
    package var provider: String

    package init(answer: Answer, at: Instant, provider: String) {
        self.answer = answer
        self.at = at
        self.provider = provider
    }
}
