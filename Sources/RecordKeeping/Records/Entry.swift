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
    /// The labels of the line that a client has replaced. They stay as the client left them until the line leaves its
    /// file; empty unless `byFile`.
    package var overrides: Overrides
    package var isPinned: Bool
    /// Its tags and its note, which many have in common; nil where it has neither.
    package var label: Shared<WatchLabel>?

    /// Labels of a line that no longer apply to its entry.
    package struct Overrides: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A client has removed a tag.
        package static let tags = Overrides(rawValue: 1 << 0)
        /// A client has set or removed the note.
        package static let note = Overrides(rawValue: 1 << 1)
    }

    package init(
        byClient: Bool, byFile: Bool = false, overrides: Overrides = [], isPinned: Bool = false, tags: [String] = [],
        note: String? = nil
    ) {
        let label = Self.shared(WatchLabel(tags: tags, note: note))
        self.init(byClient: byClient, byFile: byFile, overrides: overrides, isPinned: isPinned, label: label)
    }

    package init(
        byClient: Bool, byFile: Bool, overrides: Overrides = [], isPinned: Bool, label: Shared<WatchLabel>?
    ) {
        self.byClient = byClient
        self.byFile = byFile
        self.overrides = overrides
        self.isPinned = isPinned
        self.label = label
    }

    /// Marks the address as removed from the lists.
    mutating func leaveFile() {
        byFile = false
        overrides = []
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
