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
