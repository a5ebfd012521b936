package import RecordKeeping

/// What a node shows about its fleet: the reply to `Fleet` of the control interface.
package struct FleetView: Hashable, Sendable {
    package enum Role: Hashable, Sendable { case leader, follower, detached }

    package struct Node: Hashable, Sendable {
        package enum State: Hashable, Sendable { case alive, expired, left }

        package let row: NodeRow
        package let isLeader: Bool
        package let state: State
        /// Commits that the node had not applied at its last heartbeat.
        package let lag: Int64
    }

    package let role: Role
    /// Whether the database can be reached.
    package let isReachable: Bool
    package let leader: NodeRun?
    package let term: Int64
    /// The end of the lease on this node's clock; nil unless this node leads.
    package let leaseEnd: BootTime?
    /// The number of the last applied row.
    package let seq: Int64
    /// Commits that this node has not applied.
    package let lag: Int64
    /// The other nodes.
    package let nodes: [Node]
}

extension Member {
    /// Returns the fleet as this node sees it.
    package func view(at now: BootTime) -> FleetView {
        let end = max(journalEnd, cursor.seq)
        let nodes = peers.map { peer in
            FleetView.Node(
                row: peer.row, isLeader: fleet?.leader == peer.row.run,
                state: peer.row.hasLeft ? .left : peer.isAlive(at: now) ? .alive : .expired,
                lag: max(0, end - peer.row.applied))
        }
        let role: FleetView.Role = run == nil ? .detached : isLeading(at: now) ? .leader : .follower
        return FleetView(
            role: role, isReachable: !reachability.isLost, leader: tenure?.fence.leader ?? fleet?.leader,
            term: tenure?.fence.term ?? fleet?.term ?? 0, leaseEnd: isLeading(at: now) ? tenure?.leaseEnd : nil,
            seq: cursor.seq, lag: end - cursor.seq, nodes: nodes)
    }
}
