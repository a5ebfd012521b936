import Fleet

extension Fence {
    /// The first arguments of each function behind the fence.
    func arguments(_ fleet: FleetKey) -> [SQLArgument] {
        [
            .integer(fleet.number), .integer(term), .text(leader.node.text), .integer(leader.epoch),
            .integer(incarnation.number), .id(incarnation.id),
        ]
    }
}

extension ServerID {
    /// The columns `system_id` and `timeline`. PostgreSQL has no unsigned integers.
    var arguments: [SQLArgument] { [.integer(Int64(bitPattern: system)), .integer(Int64(timeline))] }
}
