package import RecordKeeping

/// A position in the journal: the number of a row, and its id.
package struct JournalCursor: Hashable, Sendable {
    package let seq: Int64
    package let id: UniqueID

    package init(seq: Int64, id: UniqueID) {
        (self.seq, self.id) = (seq, id)
    }

    /// The position before the first row.
    package static let start = JournalCursor(seq: 0, id: UniqueID(high: 0, low: 0))
}

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

/// The state of a fleet at one position of the journal, from one REPEATABLE READ transaction.
package struct FleetSnapshot: Hashable, Sendable {
    package let server: ServerID
    package let fleet: FleetRow
    package let cursor: JournalCursor
    /// The tables, which this module does not interpret.
    package let state: [UInt8]
    /// The last rows, oldest first: at most `FleetLimits.rememberedRows`.
    package let recent: [JournalCursor]
    /// The kept outcomes of the proposals whose ids the query names.
    package let outcomes: [ProposalOutcome]

    package init(
        server: ServerID, fleet: FleetRow, cursor: JournalCursor, state: [UInt8], recent: [JournalCursor],
        outcomes: [ProposalOutcome]
    ) {
        (self.server, self.fleet, self.cursor, self.state) = (server, fleet, cursor, state)
        (self.recent, self.outcomes) = (recent, outcomes)
    }
}
