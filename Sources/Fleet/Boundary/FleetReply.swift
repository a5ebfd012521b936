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
    /// The number of deleted rows; 0 once there is nothing to delete.
    case swept(Int)
    case done
}
