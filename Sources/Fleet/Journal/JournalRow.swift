package import RecordKeeping

/// A row of the journal: one commit.
package struct JournalRow: Hashable, Sendable {
    package let seq: Int64
    /// The random id of the row, which is also the id of the operation that inserts it.
    package let id: UniqueID
    /// The id of the row before it.
    package let previous: UniqueID
    package let term: Int64
    /// The number of the incarnation, which identifies it within one history.
    package let incarnation: Int64
    /// The leader's clock when it sent the row.
    package let clock: BootTime
    package let encoding: Int
    /// The changes of the commit, which this module does not interpret.
    package let body: [UInt8]
    /// The outcomes of the proposals that the commit contains.
    package let outcomes: [ProposalOutcome]

    package init(
        seq: Int64, id: UniqueID, previous: UniqueID, term: Int64, incarnation: Int64, clock: BootTime, encoding: Int,
        body: [UInt8], outcomes: [ProposalOutcome] = []
    ) {
        (self.seq, self.id, self.previous, self.term, self.incarnation) = (seq, id, previous, term, incarnation)
        (self.clock, self.encoding, self.body, self.outcomes) = (clock, encoding, body, outcomes)
    }

    package var cursor: JournalCursor { JournalCursor(seq: seq, id: id) }
}
