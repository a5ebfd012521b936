/// What is kept of one address, on disk and in memory.
package struct Entry: Hashable, Sendable {
    /// Why and how the address is on the watch list; nil for one that was only looked up.
    package var watch: Watch?
    /// The last answer of the provider; nil until there was one.
    package var scan: Scan?
    /// When a field of the record last changed.
    package var changedAt: WallTime?
    /// The failure of the last call, where the address itself was at fault; a success takes it away.
    ///
    /// What is wrong with the provider as a whole or with the way to it is kept once, not with every address.
    package var failure: Failure?

    package init(watch: Watch? = nil, scan: Scan? = nil, changedAt: WallTime? = nil, failure: Failure? = nil) {
        self.watch = watch
        self.scan = scan
        self.changedAt = changedAt
        self.failure = failure
    }
}

/// An address's place on the watch list.
package struct Watch: Hashable, Sendable {
    /// A client added it. One of `byClient` and `byFile` holds, or both.
    package var byClient: Bool
    /// It stands in the configuration or in a watch-list file.
    package var byFile: Bool
    package var isPinned: Bool
    /// Its tags and its note, which many have in common; nil where it has neither.
    package var label: Shared<WatchLabel>?

    package init(
        byClient: Bool, byFile: Bool = false, isPinned: Bool = false, tags: [String] = [], note: String? = nil
    ) {
        let label = Self.shared(WatchLabel(tags: tags, note: note))
        self.init(byClient: byClient, byFile: byFile, isPinned: isPinned, label: label)
    }

    package init(byClient: Bool, byFile: Bool, isPinned: Bool, label: Shared<WatchLabel>?) {
        self.byClient = byClient
        self.byFile = byFile
        self.isPinned = isPinned
        self.label = label
    }

    /// Sorted, each once.
    package var tags: [String] {
        get { label?.value.tags ?? [] }
        set { label = Self.shared(WatchLabel(tags: newValue, note: note)) }
    }

    package var note: String? {
        get { label?.value.note }
        set { label = Self.shared(WatchLabel(tags: tags, note: newValue)) }
    }

    private static func shared(_ label: WatchLabel) -> Shared<WatchLabel>? {
        label.tags.isEmpty && label.note == nil ? nil : Shared(label)
    }
}

/// What people put down with an entry.
package struct WatchLabel: Hashable, Sendable {
    /// Sorted, each once.
    package var tags: [String]
    package var note: String?

    package init(tags: [String], note: String?) {
        self.tags = tags
        self.note = note
    }
}
