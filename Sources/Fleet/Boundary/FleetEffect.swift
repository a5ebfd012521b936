package import RecordKeeping

/// An instruction from a member to a shell or to the engine. All effects of one event are performed, in order, before
/// the next event.
package enum FleetEffect: Hashable, Sendable {
    /// Sends the query. Followed by `.replied` or `.failed`, unless it is cancelled.
    case query(FleetQuery.ID, FleetQuery.Lane, FleetQuery)
    /// Closes the connection of a query. Its outcome is unknown, and its reply is ignored.
    case cancel(FleetQuery.ID)
    /// Sets the only timer, which posts `.deadlineReached`; nil stops it.
    case arm(BootTime?)
    /// Sends one NOTIFY, in a transaction of its own.
    case notify

    /// The role of the node has changed.
    case role(FleetRole)
    /// Runs a proposal through the leader's core. Its outcome is part of a later `.commit`.
    case execute(Proposal)
    /// Stores these rows, the cursor and the incarnation in one transaction, and passes the rows to the core. The
    /// commit is that of the leader's core; nil for rows of other nodes. Followed by `.applied`.
    case apply([JournalRow], in: Incarnation, commit: CommitID?)
    /// Replaces the local state. The events of these numbers are missing on this node, which it publishes. Followed by
    /// `.applied`.
    case replace(FleetSnapshot, missing: ClosedRange<Int64>?)
    /// The commit of the leader's core has failed.
    case commitFailed(CommitID, FleetCommitFailure)
    /// Replies to a client's request.
    case conclude(RequestID, RequestConclusion)
    /// Stops sending calls, and commits the outcomes of those in flight. Followed by `.callsStopped`.
    case stopCalls
    case alert(FleetAlert)
    /// Stores the highest incarnation that the node has seen.
    case saveIncarnation(Incarnation)
}
