package import RecordKeeping

extension Interface {
    /// Something that happened, as `Monitor` tells it.
    package struct Event: Codable, Hashable, Sendable {
        package var seq: Int64?
        package var at: Int64
        package var kind: String
        package var address: String?
        package var entry: Entry?
        package var fields: [FieldChange]?
        package var message: String?

        /// - Parameter entry: the entry as it is now, for what is told as it happens.
        package init(_ notice: Notice, _ entry: EntryView?) {
            seq = notice.seq
            at = notice.at.milliseconds
            kind = notice.kind.rawValue
            address = notice.address?.description
            self.entry = entry.map { Entry($0) }
            fields = notice.fields.isEmpty ? nil : notice.fields.map { FieldChange($0) }
            message = notice.message
        }
    }

    /// How one field differs from what it was.
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
