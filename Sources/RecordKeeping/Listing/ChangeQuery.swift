/// The changes that a `History` request selects. Conditions combine with AND.
package struct ChangeQuery: Hashable, Sendable {
    /// The addresses whose changes are read; nil for all addresses.
    package var addresses: [IPAddress]?
    /// The period, which includes both times; nil for no limit.
    package var since: WallTime?
    package var until: WallTime?
    /// Only changes of these fields; nil for all. The other fields of a change are left out.
    package var fields: Set<Record.Field>?
    /// Only fields that changed from exactly this value; an empty string stands for no value, and nil for any.
    package var old: String?
    /// Only fields that changed to exactly this value; an empty string stands for no value, and nil for any.
    package var new: String?
    /// Only changes with a smaller seq; nil for the newest.
    package var before: Int64?
    /// Maximum number of changes, 1 to `Limits.changesPerPage`.
    package var limit: Int

    /// Whether the store selects the changes by address.
    package var isOfFewAddresses: Bool { addresses.map { $0.count <= Limits.addressesPerHistory } ?? false }

    package init(
        addresses: [IPAddress]? = nil, since: WallTime? = nil, until: WallTime? = nil,
        fields: Set<Record.Field>? = nil, old: String? = nil, new: String? = nil, before: Int64? = nil, limit: Int
    ) {
        self.addresses = addresses
        self.since = since
        self.until = until
        self.fields = fields
        self.old = old
        self.new = new
        self.before = before
        self.limit = limit
    }

    /// Whether some fields of changes may be left out.
    package var selectsFields: Bool { fields != nil || old != nil || new != nil }

    /// Returns whether this field of a change is selected. Values are compared byte by byte.
    package func selects(_ change: FieldChange) -> Bool {
        func isEqual(_ value: String?, _ wanted: String?) -> Bool {
            wanted.map { (value ?? "").utf8.elementsEqual($0.utf8) } ?? true
        }
        return fields.map { names in names.contains { $0.rawValue == change.field } } ?? true
            && isEqual(change.old, old) && isEqual(change.new, new)
    }
}

/// Some of the changes that a query selects, newest first.
package struct ChangePage: Hashable, Sendable {
    package var events: [PublishedEvent]
    /// The value of `ChangeQuery.before` for the next page; nil on the last page. A page may have fewer changes than
    /// the query allows, or none, although others follow.
    package var next: Int64?

    package init(_ events: [PublishedEvent], next: Int64? = nil) {
        self.events = events
        self.next = next
    }
}
