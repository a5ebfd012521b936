/// The provider's answer about one address: a record, or the statement that the provider has none.
package enum Answer: Hashable, Sendable {
    case record(Record)
    /// The provider's status `fail`, with its message ("reserved range"). Such an answer is valid for one interval,
    /// like a record.
    case empty(reason: String)

    package var record: Record? {
        if case .record(let record) = self { record } else { nil }
    }

    /// Returns whether both answers are identical byte for byte. Canonically equivalent strings are equal, but their
    /// bytes may differ.
    package func isExactly(_ other: Answer) -> Bool {
        switch (self, other) {
        case (.record(let mine), .record(let theirs)): mine.isExactly(theirs)
        case (.empty(let mine), .empty(let theirs)): mine.isExactly(theirs)
        case (.record, .empty), (.empty, .record): false
        }
    }

    package var emptyReason: String? {
        if case .empty(let reason) = self { reason } else { nil }
    }
}

/// An answer and the time of the call that fetched it. The answer is valid for one interval from that time.
package struct Scan: Hashable, Sendable {
    package var answer: Answer
    /// The time at which the call was sent. For an answer from an earlier boot, `boot` is computed from the answer's
    /// age according to the wall clock. An answer with a time in the future counts as one interval old.
    package var at: Instant
    /// The provider that gave the answer: the host name of its endpoint.
    package var provider: String

    package init(answer: Answer, at: Instant, provider: String) {
        self.answer = answer
        self.at = at
        self.provider = provider
    }
}
