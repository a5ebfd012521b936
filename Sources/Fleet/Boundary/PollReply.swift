package import RecordKeeping

/// The rows of a poll, all from one statement.
package struct PollReply: Hashable, Sendable {
    package let server: ServerID
    package let fleet: FleetRow
    /// The id of the row with the cursor's number; nil if there is none.
    package let cursorID: UniqueID?
    /// The rows after the cursor, in order.
    package let rows: [JournalRow]
    package let first: Int64
    package let last: JournalCursor
    /// The number of the incarnation of the last row.
    package let lastIncarnation: Int64
    package let proposals: [Proposal]
    /// The wall clock of the database. Only for display: it may step.
    package let readAt: WallTime

    package init(
        server: ServerID, fleet: FleetRow, cursorID: UniqueID?, rows: [JournalRow], first: Int64, last: JournalCursor,
        lastIncarnation: Int64, proposals: [Proposal], readAt: WallTime
    ) {
        (self.server, self.fleet, self.cursorID, self.rows) = (server, fleet, cursorID, rows)
        (self.first, self.last, self.lastIncarnation) = (first, last, lastIncarnation)
        (self.proposals, self.readAt) = (proposals, readAt)
    }
}
