package import RecordKeeping

/// A row of the journal: one commit.
package struct JournalRow: Hashable, Sendable {
    package let seq: Int64
    /// The random id of the row, which is also the id of the operation that inserts it.
    package let id: UniqueID
    /// The id of the row before it.
    package let previous: UniqueID
    package let term: Int64
    package let incarnation: Int64
    /// The leader's clock when it sent the row.
    package let clock: BootTime
    package let encoding: Int
    /// The changes of the commit, which this module does not interpret.
    package let body: [UInt8]
    /// The outcomes of the proposals that the commit contains.
    package let outcomes: [ProposalOutcome]

    package var cursor: JournalCursor { JournalCursor(seq: seq, id: id) }
}
