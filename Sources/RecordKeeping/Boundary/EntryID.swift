/// The id of an entry in the store, unique among the stored entries. Ids begin at 1 and ascend in the order in which
/// entries are stored for the first time. A database that was edited by hand may contain any ids; `Int64.min` stands
/// for no id.
package struct EntryID: Hashable, Comparable, Sendable {
    package let number: Int64
    package init(number: Int64) { self.number = number }
    package static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// The id and the address of a stored entry.
package struct EntryKey: Hashable, Sendable {
    package let id: EntryID
    package let address: IPAddress

    package init(id: EntryID, address: IPAddress) {
        self.id = id
        self.address = address
    }
}
