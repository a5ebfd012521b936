package import RecordKeeping

/// The result of a query that succeeded.
package enum FleetReply: Hashable, Sendable {
    case node(NodeRow?)
    /// Whether the conditions of the change held.
    case changed(Bool)
    case beat(BeatReply)
    case polled(PollReply)
    case snapshot(FleetSnapshot)
    case resolved(isCommitted: Bool)
    /// The ids that have been withdrawn. The other ones have an outcome in the journal.
    case withdrawn([UniqueID])
    case done
}

/// The rows after a heartbeat.
package struct BeatReply: Hashable, Sendable {
    package let server: ServerID
    /// Whether the node's row still had its epoch.
    package let isRegistered: Bool
    /// Whether the fence held and the lease was extended.
    package let isLeaseHeld: Bool
    package let fleet: FleetRow
    package let nodes: [NodeRow]

    package init(server: ServerID, isRegistered: Bool, isLeaseHeld: Bool, fleet: FleetRow, nodes: [NodeRow]) {
        (self.server, self.isRegistered, self.isLeaseHeld) = (server, isRegistered, isLeaseHeld)
        (self.fleet, self.nodes) = (fleet, nodes)
    }
}

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
    /// The incarnation of the last row.
    package let lastIncarnation: Int64
    package let proposals: [Proposal]
    /// The wall clock of the database. Only shown to people: it may step.
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
