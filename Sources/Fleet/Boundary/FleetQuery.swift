/// One transaction in the database. Each is sent as one message, so the server never waits for the client while it
/// holds a lock.
package enum FleetQuery: Hashable, Sendable {
    /// The id of a query, unique within one run of the node.
    package struct ID: Hashable, Sendable {
        package let number: Int64
    }

    /// A connection. The queries of one lane run one after another; a member has at most one in flight on each.
    package enum Lane: Int, CaseIterable, Hashable, Sendable {
        /// Heartbeats, takeovers and the node's own row.
        case lease
        /// Polls and snapshots.
        case read
        /// Commits, sweeps and proposals.
        case write
    }

    // MARK: Lane `lease`

    /// Reads the row of a node. Answered with `.node`.
    case readNode(NodeID)
    /// Inserts or replaces the row of a node, if its mark is still this one; nil if there was no row. Answered with
    /// `.changed`.
    case register(NodeRow, replacing: NodeMark?)
    /// Updates the node's own row if its epoch is still this one, and then, in the same transaction, the fleet's row
    /// if the fence holds. Answered with `.beat`.
    case beat(NodeBeat, LeaseBeat?)
    /// Increments the term and sets the leader, if the row and the server are unchanged. Answered with `.changed`.
    /// Waits for open transactions of the leader for at most `FleetLimits.takeoverWait`, then `.lockTimeout`.
    case takeOver(Takeover)
    /// Terminates the sessions that hold a lock on the fleet's row while they wait for their client, never one that
    /// waits for the standby. Answered with `.done`.
    case terminateBlockers
    /// Increments the term and sets the leader to another node, if the fence holds. The epoch of the successor must be
    /// unchanged. Answered with `.changed`.
    case handOver(Fence, to: NodeRun, hasFailed: Bool)
    /// Sets the incarnation and the server of the row, increments the term, removes the leader, and deletes all
    /// proposals, if the incarnation and the server are still these. A restored proposal may have been withdrawn, so
    /// its node proposes it again. Because the term changes, it waits for open transactions of the leader like
    /// `takeOver`. Answered with `.changed`.
    case raiseIncarnation(from: Incarnation, server: ServerID, newServer: ServerID, to: Incarnation)
    /// Marks the row of the node as left. Answered with `.changed`.
    case leave(NodeRun)

    // MARK: Lane `read`

    /// Reads the fleet's row, the id of the cursor's row, and the rows after it, in one statement. Answered with
    /// `.polled`.
    case poll(after: JournalCursor, limit: Int, withProposals: Bool)
    /// Reads the tables in one REPEATABLE READ transaction. Answered with `.snapshot`.
    case snapshot(outcomesOf: [UniqueID])

    // MARK: Lane `write`

    /// Inserts the row under the fence, if its operation is not resolved and the last row is its predecessor, changes
    /// the tables, stores the outcomes of its proposals if none is known, and deletes these proposals. Answered with
    /// `.done`.
    case append(Fence, JournalRow)
    /// Finds out whether the journal contains this row. If not, stores that the operation was not made and never will
    /// be. Waits for open commits behind the fence. Always writes, so that its COMMIT waits for the standby. Answered
    /// with `.resolved`.
    case resolve(JournalCursor)
    /// Deletes old rows under the fence. Answered with `.swept`.
    case sweep(Fence, Sweep)
    /// Inserts proposals whose ids are unknown and have no outcome, if the incarnation and the server are still those
    /// of the row. Answered with `.changed`.
    case propose([Proposal], incarnation: Incarnation)
    /// For each id without an outcome, stores the outcome "withdrawn" and deletes the proposal. Always writes, so that
    /// its COMMIT waits for the standby: the outcomes that it finds are then safe as well. Answered with `.withdrawn`.
    case withdraw([UniqueID])
}
