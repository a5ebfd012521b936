/// The differences that a reload would make to an entry of the watch list.
package struct WatchChange: Hashable, Sendable {
    package var address: IPAddress
    /// The differences: `tags` (separated by commas), `note`, `sources` ("client", "file" and "name", separated by
    /// commas) and `watchedUntil` (Unix time in milliseconds). A value is nil if the entry has none.
    package var fields: [FieldChange]

    package init(address: IPAddress, fields: [FieldChange]) {
        (self.address, self.fields) = (address, fields)
    }

    init(address: IPAddress, from old: Watch, to new: Watch) {
        let fields = zip(old.previewedValues, new.previewedValues).compactMap { before, after -> FieldChange? in
            // Strings with different bytes can be equal.
            guard before.value.map({ Array($0.utf8) }) != after.value.map({ Array($0.utf8) }) else { return nil }
            return FieldChange(field: before.name, old: before.value, new: after.value)
        }
        self.init(address: address, fields: fields)
    }

    /// The length of the values in bytes.
    var valueBytes: Int { fields.reduce(0) { $0 + ($1.old?.utf8.count ?? 0) + ($1.new?.utf8.count ?? 0) } }
}

extension Watch {
    /// The values that a reload can change, by their names on the wire.
    fileprivate var previewedValues: [(name: String, value: String?)] {
        let sources = [byClient ? "client" : nil, byFile ? "file" : nil, byName ? "name" : nil].compactMap { $0 }
        return [
            ("tags", tags.isEmpty ? nil : tags.joined(separator: ",")), ("note", note),
            ("sources", sources.joined(separator: ",")),
            ("watchedUntil", listedUntil.map { "\($0.milliseconds)" }),
        ]
    }
}
