import Fleet
import RecordKeeping
import Simulation

/// The promises about the lease, the calls and the quota.
extension FleetSimulation {
    /// Hidden pauses make claims of a lease wrong for at most this time.
    private static let pauseEffect = Duration.seconds(30)

    private func isLeading(_ index: Int) -> Bool {
        guard let process = nodes[index].process else { return false }
        return process.member.isLeading(at: nodes[index].clock.time(at: now))
    }

    private func hadHiddenPause(_ index: Int) -> Bool {
        now - nodes[index].lastHiddenPause < Self.pauseEffect
    }

    /// Checks a committed takeover.
    mutating func checkTakeover(from previous: FleetRow, by index: Int) throws(Violation) {
        note("takeover of term \(previous.term + 1) by node \(index)")
        coverage.count("takeover")
        for other in nodes.indices where other != index && isLeading(other) && !hadHiddenPause(other) {
            throw broken(
                "no node takes over during the lease of another", "node \(index) from node \(other), \(previous)")
        }
        guard plan.noise == 0, let run = previous.leader, run.node != nodes[index].id else { return }
        let old = nodes.first { $0.id == run.node && !$0.isClone }
        let limit = now + .seconds(-5)
        if let since = old?.healthySince(at: now), since <= limit, databaseImpairedUntil <= limit,
            !hadPauseOrCopy(run.node), old?.process?.member.isRun(run) == true
        {
            throw broken("no node takes over from an able leader", "node \(index), \(previous)")
        }
    }

    private func hadPauseOrCopy(_ id: NodeID) -> Bool {
        nodes.contains { $0.id == id && ($0.isClone || now - $0.lastHiddenPause < Self.pauseEffect) }
    }

    /// Checks that no other node leads.
    func checkSingleLeader(_ index: Int) throws(Violation) {
        guard !hadHiddenPause(index) else { return }
        for other in nodes.indices where other != index && isLeading(other) && !hadHiddenPause(other) {
            throw broken("at most one node leads", "nodes \(index) and \(other)")
        }
    }

    /// Checks that a new leader has stored the whole journal, unless it has lost the term already.
    func checkApplied(_ index: Int, _ leadership: Leadership) throws(Violation) {
        let (fleet, last) = (database.state.fleet, database.state.last)
        guard fleet.term == leadership.term, fleet.server == database.server, let run = fleet.leader,
            nodes[index].process?.member.isRun(run) == true, nodes[index].disk.cursor != last
        else { return }
        throw broken(
            "a new leader has applied the journal", "node \(index) at \(nodes[index].disk.cursor.seq) of \(last.seq)")
    }

    /// Checks that a process does not lead the same term again after its lease.
    func checkTerm(_ index: Int, _ leadership: Leadership) throws(Violation) {
        guard let process = nodes[index].process, process.isTermOver, process.term == leadership.term,
            process.termIncarnation == nodes[index].disk.incarnation
        else { return }
        throw broken("a run holds a term once", "node \(index), term \(leadership.term)")
    }

    /// Checks that a node stops only because of a copy of its state.
    func checkStop(_ index: Int, _ reason: StopReason) throws(Violation) {
        guard reason == .superseded || reason == .clonedState else { return }
        if nodes.contains(where: { $0.isClone && $0.id == nodes[index].id }) { return }
        throw broken("a node stops only because of a copy", "node \(index): \(reason)")
    }

    /// Checks a call that has departed.
    mutating func checkCall(_ number: Int) throws(Violation) {
        let call = calls[number]
        guard !call.isStray else { return }
        for earlier in calls[..<number].suffix(200) where earlier.address == call.address && earlier.run != call.run {
            guard let end = endOfFlight(of: earlier), end > now, !earlier.isStray else { continue }
            throw broken("calls for an address do not overlap", "call \(number) of node \(call.node)")
        }
        guard plan.areClocksCorrect, let record = database.state.model.entries[call.address].record,
            let previous = calls[record.call].departedAt
        else { return }
        let tolerance = plan.interval * 0.003
        // A clock that has stood still makes ages on it too small.
        guard now - nodes[call.node].lastHiddenPause > plan.interval * 2 else { return }
        if now - previous < plan.interval - tolerance {
            throw broken(
                "an address is called at most once per interval",
                "calls \(record.call) and \(number) for \(call.address), \(now - previous) apart")
        }
    }

    /// The moment at which a call has arrived, or can no longer arrive because its connection is closed; nil if it has
    /// not departed.
    private func endOfFlight(of call: CallFact) -> Moment? {
        guard call.arrivesAt == nil, let departure = call.departedAt else { return call.arrivesAt }
        let clock = nodes[call.node].clock
        return clock.moment(of: clock.time(at: departure) + plan.requestTimeout)
    }

    /// Checks the quota after a call has arrived.
    mutating func checkQuota() throws(Violation) {
        guard quota.count > plan.quota else { return }
        let strays = promises.strays.count { now - $0 < plan.window * 3 }
        coverage.count("refusal")
        guard plan.areClocksCorrect else { return }
        if quota.count - plan.quota > strays {
            throw broken("no quota window is exceeded", "\(quota.count) calls, \(strays) of them stray")
        }
    }
}
