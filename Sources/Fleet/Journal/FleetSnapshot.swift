/// The state of a fleet at one position of the journal, from one REPEATABLE READ transaction.
package struct FleetSnapshot: Hashable, Sendable {
    package let server: ServerID
    package let fleet: FleetRow
    package let cursor: JournalCursor
    /// The tables, which this module does not interpret.
    package let state: [UInt8]
    /// The last rows, oldest first: at most `FleetLimits.rememberedRows`.
    package let recent: [JournalCursor]
    /// The first row of each incarnation up to the cursor, oldest first. Sweeps keep their ids.
    package let starts: [IncarnationStart]
    /// The kept outcomes of the proposals whose ids the query names.
    package let outcomes: [ProposalOutcome]

    package init(
        server: ServerID, fleet: FleetRow, cursor: JournalCursor, state: [UInt8], recent: [JournalCursor],
        starts: [IncarnationStart], outcomes: [ProposalOutcome]
    ) {
        (self.server, self.fleet, self.cursor, self.state) = (server, fleet, cursor, state)
        (self.recent, self.starts, self.outcomes) = (recent, starts, outcomes)
    }
}
