package import Fleet

/// The state of a fleet at one position of the journal, except the tables of the current state.
package struct SnapshotHead: Hashable, Sendable {
    package let server: ServerID
    package let fleet: FleetRow
    /// The last rows, oldest first.
    package let recent: [JournalCursor]
    /// The first row of each incarnation, oldest first.
    package let starts: [IncarnationStart]
    /// The stored outcomes of the requested proposals.
    package let outcomes: [ProposalOutcome]

    /// The position of the snapshot.
    package var cursor: JournalCursor { recent.last ?? .start }
}
