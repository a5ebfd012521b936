import Fleet
import RecordKeeping
import Simulation

/// The processes: events for their members, and the effects.
extension FleetSimulation {
    mutating func start(_ index: Int) throws(Violation) {
        guard nodes[index].process == nil else { return }
        if nodes[index].isFrozen(at: now) {
            queue.add(.start(node: index), at: nodes[index].frozenUntil)
            return
        }
        runs += 1
        let node = nodes[index]
        var settings = MemberSettings(
            identity: NodeIdentity(
                id: node.id, name: node.id.text, machine: node.machine, version: "1", encoding: 1),
            requestTimeout: plan.requestTimeout, cursor: node.disk.cursor, recent: node.disk.recent,
            starts: node.disk.starts, cursorIncarnation: node.disk.cursorIncarnation, incarnation: node.disk.incarnation
        )
        settings.journalRetention = plan.journalRetention
        settings.outcomeRetention = plan.outcomeRetention
        settings.rowsPerSweep = plan.rowsPerSweep
        let core = ModelCore(
            settings: ModelCore.Settings(
                interval: plan.interval, quota: plan.quota, window: plan.window, requestTimeout: plan.requestTimeout),
            state: node.disk.state, times: node.disk.times)
        nodes[index].process = SimulatedNode.Process(
            number: runs, startedAt: now,
            member: Member(settings, seed: prng.next(), idPrefix: prng.next()), core: core, passed: node.disk.cursor)
        note("node \(index): start of run \(runs)")
        coverage.count("start")
        try feed(.started, to: index)
        if now < nodes[index].noRouteUntil { try setRoute(false, of: index) }
    }

    /// Passes an event to a member, and performs the effects.
    mutating func feed(_ event: FleetEvent, to index: Int) throws(Violation) {
        let time = nodes[index].clock.time(at: now)
        let effects = nodes[index].process?.member.handle(event, at: time) ?? []
        if let invariant = nodes[index].process?.member.brokenInvariant(at: time) {
            throw broken("invariants of the member hold", "node \(index), after \(event): \(invariant)")
        }
        for effect in effects { try perform(effect, of: index, at: time) }
        try pump(index)
    }

    /// Lets the core of a node act.
    private mutating func pump(_ index: Int) throws(Violation) {
        guard var process = nodes[index].process else { return }
        let time = nodes[index].clock.time(at: now)
        if process.core.hasUnsentCalls, process.member.callsUntil(at: time) != nil {
            var number = calls.count
            for (address, call) in process.core.calls(number: &number) {
                let term = process.term
                calls.append(
                    CallFact(
                        address: address, node: index, run: process.number, time: LeaderTime(term: term, clock: time),
                        decidedAt: now))
                schedule(.departCall(call - 1), in: index, after: prng.duration(.microseconds(10), .milliseconds(1)))
            }
        }
        let commit = process.core.nextCommit(member: process.member, at: time)
        let mustStop = process.awaitsStop && process.core.hasStopped
        if mustStop { process.awaitsStop = false }
        let deadline = process.core.nextDeadline(member: process.member, at: time)
        if deadline != process.coreTimerAt {
            process.coreTimer += 1
            process.coreTimerAt = deadline
            if let deadline {
                queue.add(
                    .node(index, run: process.number, .coreTimer(process.coreTimer)),
                    at: max(now, nodes[index].clock.moment(of: deadline)))
            }
        }
        nodes[index].process = process
        if let (number, commit, ids) = commit {
            let body = bodies.add(commit)
            let outcomes = ids.map { ProposalOutcome(id: $0, reply: []) }
            try feed(.commit(number, body: body, outcomes: outcomes), to: index)
        }
        if mustStop { try feed(.callsStopped, to: index) }
    }

    mutating func schedule(_ event: NodeEvent, in index: Int, after delay: Duration) {
        guard let run = nodes[index].process?.number else { return }
        queue.add(.node(index, run: run, event), at: now + delay)
    }

    mutating func handle(_ event: NodeEvent, in index: Int) throws(Violation) {
        switch event {
        case .timer(let number):
            if number == nodes[index].process?.timer { try feed(.deadlineReached, to: index) }
        case .coreTimer(let number):
            guard number == nodes[index].process?.coreTimer else { return }
            nodes[index].process?.coreTimerAt = nil
            try pump(index)
        case .depart(let id, let query): depart(id, query, of: index)
        case .replied(let id, let reply): try feed(.replied(id, reply), to: index)
        case .failed(let id, let failure):
            try checkFailure(failure, of: id, in: index)
            try feed(.failed(id, failure), to: index)
        case .stored(let rows, let incarnation, let commit):
            try store(rows, of: incarnation, isOwn: commit != nil, in: index)
        case .storedSnapshot(let snapshot): try store(snapshot, in: index)
        case .hint: try feed(.hinted, to: index)
        case .requested(let token, let timeLimit):
            let until = nodes[index].clock.time(at: now) + timeLimit
            let body = bodies.add(promises.change(token))
            try feed(.requested(RequestID(Int64(token)), user: 0, body: body, until: until), to: index)
        case .departCall(let call): try departCall(call)
        case .callEnded(let call, let untilReset): try callEnded(call, untilReset: untilReset)
        case .route(let hasRoute): try setRoute(hasRoute, of: index)
        }
    }

    private mutating func perform(_ effect: FleetEffect, of index: Int, at time: BootTime) throws(Violation) {
        digest.add(now.nanoseconds)
        digest.add(effect)
        switch effect {
        case .query(let id, _, let query):
            schedule(.depart(id, query), in: index, after: prng.duration(.microseconds(10), .milliseconds(1)))
        case .cancel(let id): nodes[index].process?.cancelled.insert(id)
        case .arm(let deadline):
            nodes[index].process?.timer += 1
            guard let deadline, let process = nodes[index].process else { return }
            queue.add(
                .node(index, run: process.number, .timer(process.timer)),
                at: max(now, nodes[index].clock.moment(of: deadline)))
        case .notify: sendHints(from: index)
        case .role(let role): try changeRole(to: role, of: index, at: time)
        case .execute(let proposal):
            nodes[index].process?.core.execute(bodies.change(proposal.body), id: proposal.id)
        case .apply(let rows, let incarnation, let commit):
            try checkOrder(of: rows, in: index)
            schedule(.stored(rows, incarnation, commit: commit), in: index, after: storeTime(of: index))
        case .replace(let snapshot, let missing):
            coverage.count(missing == nil ? "snapshot without a gap" : "gap published")
            try checkGap(to: snapshot, missing: missing, in: index)
            schedule(.storedSnapshot(snapshot), in: index, after: storeTime(of: index))
        case .commitFailed(_, let failure):
            coverage.count("commit failed: \(failure.name)")
            nodes[index].process?.core.commitFailed(failure)
        case .conclude(let number, let conclusion): try conclude(Int(number.number), conclusion, in: index)
        case .stopCalls:
            nodes[index].process?.core.stopCalls()
            nodes[index].process?.awaitsStop = true
        case .alert(let alert): try alerted(alert, in: index)
        case .saveIncarnation(let incarnation): nodes[index].disk.incarnation = incarnation
        }
    }

    private mutating func storeTime(of index: Int) -> Duration {
        max(.zero, nodes[index].diskStallsUntil - now) + prng.duration(.microseconds(100), .milliseconds(20))
    }

    private mutating func sendHints(from index: Int) {
        guard database.isUp, now >= nodes[index].toDatabase else { return }
        for other in nodes.indices where other != index && nodes[other].process != nil {
            guard !prng.chance(plan.hintLoss), now >= nodes[other].fromDatabase else { continue }
            schedule(.hint, in: other, after: prng.duration(.milliseconds(1), .milliseconds(20)))
        }
    }

    private mutating func changeRole(to role: FleetRole, of index: Int, at time: BootTime) throws(Violation) {
        note("node \(index): \(role)")
        switch role {
        case .following:
            nodes[index].process?.core.follow()
            nodes[index].process?.isTermOver = true
        case .leading(let leadership):
            try checkTerm(index, leadership)
            nodes[index].process?.isTermOver = false
            if nodes[index].process?.core.isLeading == false { try checkApplied(index, leadership) }
            nodes[index].process?.core.lead(leadership, at: time)
            nodes[index].process?.term = leadership.term
            let incarnation = nodes[index].disk.incarnation
            nodes[index].process?.termIncarnation = incarnation
            coverage.count(leadership.isQuotaKnown ? "leads" : "leads without knowing the quota")
            try checkSingleLeader(index)
        case .stopped(let reason):
            coverage.count("stopped: \(reason)")
            try checkStop(index, reason)
            nodes[index].process?.core.follow()
            nodes[index].process?.isStopped = true
        }
    }

    private mutating func store(
        _ rows: [JournalRow], of incarnation: Incarnation, isOwn: Bool, in index: Int
    ) throws(Violation) {
        guard var process = nodes[index].process, let last = rows.last else { return }
        let time = nodes[index].clock.time(at: now)
        for row in rows {
            process.core.apply(bodies.commit(row.body), isOwn: isOwn, member: process.member, at: time)
        }
        (nodes[index].disk.cursor, nodes[index].disk.cursorIncarnation) = (last.cursor, incarnation)
        nodes[index].disk.recent = (nodes[index].disk.recent + rows.map(\.cursor)).suffix(FleetLimits.rememberedRows)
        nodes[index].disk.starts.extend(by: rows)
        save(process.core, in: index)
        nodes[index].process = process
        try feed(.applied(last.cursor), to: index)
    }

    private mutating func store(_ snapshot: FleetSnapshot, in index: Int) throws(Violation) {
        guard var process = nodes[index].process else { return }
        let time = nodes[index].clock.time(at: now)
        process.core.replace(by: bodies.state(snapshot.state), member: process.member, at: time)
        process.named = nil
        nodes[index].disk.cursor = snapshot.cursor
        nodes[index].disk.cursorIncarnation = snapshot.fleet.incarnation
        (nodes[index].disk.recent, nodes[index].disk.starts) = (snapshot.recent, snapshot.starts)
        save(process.core, in: index)
        nodes[index].process = process
        try feed(.applied(snapshot.cursor), to: index)
    }

    private mutating func save(_ core: ModelCore, in index: Int) {
        nodes[index].disk.state = core.state
        nodes[index].disk.times = core.times
    }

    mutating func setRoute(_ hasRoute: Bool, of index: Int) throws(Violation) {
        nodes[index].process?.core.routeChanged(hasRoute: hasRoute)
        try feed(.routeChanged(hasRoute: hasRoute), to: index)
    }

    mutating func restoreRoute(of index: Int) {
        guard now >= nodes[index].noRouteUntil else { return }
        schedule(.route(hasRoute: true), in: index, after: .milliseconds(1))
    }
}

extension FleetCommitFailure {
    fileprivate var name: String {
        switch self {
        case .leaseLost: "lease lost"
        case .outcomesKnown: "outcome known"
        case .refused: "refused"
        }
    }
}
