import Fleet
import RecordKeeping
import Simulation

/// The transactions that concern nodes and the lease.
extension FleetDatabase {
    /// The conditions of every transaction of a leader.
    func isFenced(_ fence: Fence) -> FleetFailure? {
        let row = state.fleet
        guard row.term == fence.term, row.leader == fence.leader, row.incarnation == fence.incarnation else {
            return .leaseLost
        }
        return row.server == server ? nil : .otherServer
    }

    mutating func register(_ row: NodeRow, replacing mark: NodeMark?, at moment: Moment) -> Bool {
        var new = row
        new.beatAt = wallTime(at: moment)
        guard let index = state.nodeIndex(row.id) else {
            guard mark == nil else { return false }
            state.nodes.append(new)
            state.nodes.sort { $0.id < $1.id }
            return true
        }
        guard state.nodes[index].mark == mark else { return false }
        new.failedTerm = state.nodes[index].failedTerm
        new.beat = state.nodes[index].beat + 1
        state.nodes[index] = new
        return true
    }

    mutating func beat(_ beat: NodeBeat, _ lease: LeaseBeat?, at moment: Moment) -> BeatReply {
        var isRegistered = false
        if let index = state.nodeIndex(beat.run.node), state.nodes[index].epoch == beat.run.epoch {
            isRegistered = true
            state.nodes[index].beat += 1
            state.nodes[index].hasRoute = beat.hasRoute
            state.nodes[index].applied = beat.applied
            state.nodes[index].beatAt = wallTime(at: moment)
        }
        var isHeld = false
        if isRegistered, let lease, isFenced(lease.fence) == nil {
            isHeld = true
            state.fleet.beat += 1
            state.fleet.clock = lease.clock
            state.fleet.knownBeat = lease.knownBeat
            if lease.hasSucceeded { state.fleet.succeededTerm = lease.fence.term }
            state.fleet.beatAt = wallTime(at: moment)
        }
        return BeatReply(
            server: server, isRegistered: isRegistered, isLeaseHeld: isHeld, fleet: state.fleet, nodes: state.nodes)
    }

    mutating func takeOver(_ takeover: Takeover) -> Result<Bool, FleetFailure> {
        let row = state.fleet
        guard row.term == takeover.term, row.beat == takeover.beat, row.incarnation == takeover.incarnation else {
            return .success(false)
        }
        guard row.server == server else { return .failure(.otherServer) }
        lead(takeover.newLeader, isHandedOver: false)
        return .success(true)
    }

    mutating func handOver(_ fence: Fence, to run: NodeRun, hasFailed: Bool) -> Result<Bool, FleetFailure> {
        if let failure = isFenced(fence) { return .failure(failure) }
        guard state.nodes.contains(where: { $0.run == run && !$0.hasLeft }) else { return .success(false) }
        if hasFailed, let index = state.nodeIndex(fence.leader.node) { state.nodes[index].failedTerm = fence.term }
        lead(run, isHandedOver: true)
        return .success(true)
    }

    private mutating func lead(_ run: NodeRun, isHandedOver: Bool) {
        state.fleet.term += 1
        state.fleet.leader = run
        state.fleet.isHandedOver = isHandedOver
        state.fleet.beat += 1
        state.fleet.clock = BootTime(nanoseconds: 0)
        state.fleet.knownBeat = 0
    }

    mutating func raise(
        from: Incarnation, old: ServerID, new: ServerID, to incarnation: Incarnation
    ) -> Result<Bool, FleetFailure> {
        guard server == new else { return .failure(.otherServer) }
        guard state.fleet.incarnation == from, state.fleet.server == old else { return .success(false) }
        state.fleet.incarnation = incarnation
        state.fleet.server = new
        state.fleet.term += 1
        state.fleet.leader = nil
        state.fleet.isHandedOver = false
        state.fleet.beat += 1
        state.fleet.clock = BootTime(nanoseconds: 0)
        state.fleet.knownBeat = 0
        state.proposals = []
        return .success(true)
    }

    mutating func leave(_ run: NodeRun) -> Bool {
        guard let index = state.nodeIndex(run.node), state.nodes[index].epoch == run.epoch else { return false }
        state.nodes[index].hasLeft = true
        return true
    }
}
