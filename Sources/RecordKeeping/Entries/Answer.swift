/// The provider's answer about one address: a record, or the statement that the provider has none.
package enum Answer: Hashable, Sendable {
    case record(Record)
    /// The provider's status `fail`, with its message ("reserved range"), or no data about the address in the local
    /// databases. Such an answer is valid for as long as a record.
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

/// An answer, and the time and the source of the call that fetched it. An answer of a remote provider is valid for one
/// interval from that time, and an answer from local databases until they change.
package struct Scan: Hashable, Sendable {
    package var answer: Answer
    /// The time at which the call was sent. For an answer from an earlier boot, `boot` is computed from the answer's
    /// age according to the wall clock. An answer with a time in the future counts as one interval old.
    package var at: Instant
    /// The provider that gave the answer: the host name of its endpoint, or the name of a `DataVersion`.
    package var provider: String
    /// The version of the local databases from which the answer was read; nil for a remote provider.
    package var version: DataVersion.ID?

    package init(answer: Answer, at: Instant, provider: String, version: DataVersion.ID? = nil) {
        self.version = version
        self.answer = answer
        self.at = at
        self.provider = provider
    }
}

extension Scan {
    /// Returns whether the differences between both answers are changes of the address. Records of different kinds of
    /// providers, or of different local databases, also differ for other reasons.
    func isComparable(to other: Scan) -> Bool {
        switch (version, other.version) {
        case (nil, nil): true
        case (_?, _?): provider == other.provider
        case (nil, _?), (_?, nil): false
        }
    }
}
