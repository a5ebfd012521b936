import RecordKeeping

/// Another node, as its row shows it.
struct Peer: Hashable, Sendable {
    var row: NodeRow
    /// The time of the reply that first showed the current heartbeat.
    var changedAt: BootTime

    /// Whether the node has sent a heartbeat within the time of a lease.
    func isAlive(at now: BootTime) -> Bool {
        !row.hasLeft && now - changedAt <= FleetLimits.silence
    }
}
