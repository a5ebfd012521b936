/// The role of a node.
package enum FleetRole: Hashable, Sendable {
    /// The node applies the journal, makes no calls and holds no deadlines.
    case following
    /// The node's core decides and commits. Whether it may send a call at the moment is the result of `mayCall`.
    case leading(Leadership)
    /// The node has stopped for this reason, and serves the records that it has.
    case stopped(StopReason)
}
