/// The state of one address, as it is stored on disk and in memory.
package struct Entry: Hashable, Sendable {
    /// The place on the watch list; nil for an address that was only looked up.
    package var watch: Watch?
    /// The last answer from the provider; nil before the first one.
    package var scan: Scan?
    /// The time at which a field of the record last changed; nil if none has changed.
    package var changedAt: WallTime?
    /// The failure of the last call, if it concerns this address alone; nil after a success.
    ///
    /// Failures of the provider as a whole and of the route are stored once, not with each address.
    package var failure: Failure?
    /// The fields that the last answer left out for the first time, each with its previous value and no new value.
    ///
    /// The history counts these fields as unchanged until the next answer leaves them out as well. The array is empty
    /// for most entries, and whenever the last answer is not a record.
    package var omissions: [FieldChange]

    package init(
        watch: Watch? = nil, scan: Scan? = nil, changedAt: WallTime? = nil, failure: Failure? = nil,
        omissions: [FieldChange] = []
    ) {
        self.omissions = omissions
        self.watch = watch
        self.scan = scan
        self.changedAt = changedAt
        self.failure = failure
    }
}

/// The place of an address on the watch list, with its labels.
package struct Watch: Hashable, Sendable {
    /// Whether a client added the address. At least one of `byClient`, `byFile` and `byName` is true.
    package var byClient: Bool
    /// Whether the address is in the configuration or in a watch-list file.
    package var byFile: Bool
    /// Whether a watched host name resolves to the address.
    package var byName: Bool
    /// The labels of the address's line that a client has replaced. They stay as the client set them until the line is
    /// removed from its file; empty unless `byFile` is true.
    package var overrides: Overrides
    package var isPinned: Bool
    /// When the client's watch ends by itself; nil if it does not, and unless `byClient` is true.
    package var end: WatchEnd?
    /// The tags and the note, which many entries can share; nil if there is neither.
    package var label: Interned<WatchLabel>?

    /// The labels that an entry no longer inherits from its line, because a client has changed them.
    package struct Overrides: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A client has removed a tag.
        package static let tags = Overrides(rawValue: 1 << 0)
        /// A client has set or removed the note.
        package static let note = Overrides(rawValue: 1 << 1)
    }

    package init(
        byClient: Bool, byFile: Bool = false, byName: Bool = false, overrides: Overrides = [], isPinned: Bool = false,
        end: WatchEnd? = nil, tags: [String] = [], note: String? = nil
    ) {
        let label = Self.interned(WatchLabel(tags: tags, note: note))
        self.init(
            byClient: byClient, byFile: byFile, byName: byName, overrides: overrides, isPinned: isPinned, end: end,
            label: label)
    }

    package init(
        byClient: Bool, byFile: Bool, byName: Bool = false, overrides: Overrides = [], isPinned: Bool, end: WatchEnd?,
        label: Interned<WatchLabel>?
    ) {
        self.byClient = byClient
        self.byFile = byFile
        self.byName = byName
        self.overrides = overrides
        self.isPinned = isPinned
        self.end = end
        self.label = label
    }

    /// The tags, sorted and without duplicates.
    package var tags: [String] {
        get { label?.value.tags ?? [] }
        set { label = Self.interned(WatchLabel(tags: newValue, note: note)) }
    }

    package var note: String? {
        get { label?.value.note }
        set { label = Self.interned(WatchLabel(tags: tags, note: newValue)) }
    }

    /// Whether the address stays on the watch list if no client watches it.
    package var staysWithoutClient: Bool { byFile || byName }

    /// The first of the sources of the address: a client, a file, a host name.
    package var origin: WatchOrigin { WatchOrigin(byClient: byClient, byFile: byFile, byName: byName) }

    /// The time at which the address leaves the watch list by itself; nil if it does not, because a file lists it, a
    /// host name resolves to it, or the client's watch has no end.
    package var listedUntil: WallTime? { staysWithoutClient ? nil : end?.until }

    private static func interned(_ label: WatchLabel) -> Interned<WatchLabel>? {
        label.tags.isEmpty && label.note == nil ? nil : Interned(label)
    }
}

/// The tags and the note of an entry.
package struct WatchLabel: Hashable, Sendable {
    /// The tags, sorted and without duplicates.
    package var tags: [String]
    package var note: String?

    package init(tags: [String], note: String?) {
        self.tags = tags
        self.note = note
    }
}

extension Watch? {
    /// Returns whether both consist of the same bytes. Equal labels can contain canonically equivalent strings with
    /// different bytes.
    func isExactly(_ other: Watch?) -> Bool {
        guard self == other else { return false }
        guard let label = self?.label, let otherLabel = other?.label else { return true }
        return label.isExactly(otherLabel)
    }
}
