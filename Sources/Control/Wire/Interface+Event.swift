package import RecordKeeping

extension Interface {
    /// An event of `Monitor`.
    package struct Event: Codable, Hashable, Sendable {
        /// The position among the kept events; nil for `refreshed`, which is not kept.
        package var seq: Int64?
        /// Unix time in milliseconds.
        package var at: Int64
        /// The raw value of a `PublishedEvent.Kind`.
        package var kind: String
        package var address: String?
        /// The host name that the event concerns; nil for other events, and in events of an older daemon.
        package var name: String?
        /// The entry at the time of the event. Events that are read later have none.
        package var entry: Entry?
        package var fields: [FieldChange]?
        package var message: String?
        /// The id of the user who caused the change to the watch list; nil if no client caused the event.
        package var user: UInt32?

        /// - Parameters:
        ///   - entry: the current entry, for an event of a kind with `hasEntry` that has just occurred; otherwise nil.
        ///   - offline: the record from local databases, for an entry without a fresh record.
        package init(_ event: PublishedEvent, _ entry: EntryView?, offline: OfflineRecord? = nil) {
            seq = event.seq
            at = event.at.milliseconds
            kind = event.kind.rawValue
            address = event.address?.description
            name = event.name?.description
            self.entry = entry.map { Entry($0, offline: offline) }
            fields = event.fields.isEmpty ? nil : event.fields.map { FieldChange($0) }
            message = event.message
            user = event.user
        }
    }

    /// A change of one field of a record; nil stands for a missing value.
    package struct FieldChange: Codable, Hashable, Sendable {
        package var field: String
        package var old: String?
        package var new: String?

        init(_ change: RecordKeeping.FieldChange) {
            field = change.field
            old = change.old
            new = change.new
        }
    }
}

extension [Interface.FieldChange] {
    /// The changes grouped by fact, in human-readable form.
    package var facts: [FactChange] { changes.facts }

    /// The changes in one line of text.
    package var sentence: String { changes.sentence }

    private var changes: [RecordKeeping.FieldChange] {
        map { RecordKeeping.FieldChange(field: $0.field, old: $0.old, new: $0.new) }
    }
}
