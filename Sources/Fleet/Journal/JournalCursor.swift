/// A position in the journal: the number of a row, and its id.
package struct JournalCursor: Hashable, Sendable {
    package let seq: Int64
    package let id: UniqueID

    package init(seq: Int64, id: UniqueID) {
        (self.seq, self.id) = (seq, id)
    }

    /// The position before the first row.
    package static let start = JournalCursor(seq: 0, id: .none)
}
