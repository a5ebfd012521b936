import Fleet
import RecordKeeping
import Simulation

/// The acts of the plan.
extension FleetSimulation {
    private func index(of target: FleetAct.Target) -> Int? {
        switch target {
        case .node(let index): index
        case .leader: leader
        }
    }

    mutating func perform(_ act: FleetAct) throws(Violation) {
        if case .change(let node, let isAddition, let address, let timeLimit) = act {
            request(node, isAddition: isAddition, address: address, timeLimit: timeLimit)
            return
        }
        note("act: \(act)")
        coverage.count(act.name)
        let previous = lastFault
        lastFault = now
        switch act {
        case .crash(let target, let down):
            guard let index = index(of: target) else { return }
            if nodes[index].process?.core.isLeading == true { promises.leaderCrashed(at: now, lastFault: previous) }
            crash(index, down: down)
        case .freeze(let target, let time, let isHidden):
            guard let index = index(of: target), !nodes[index].isFrozen(at: now) else { return }
            nodes[index].frozenUntil = now + time
            if isHidden {
                nodes[index].clock.hide(from: now, to: now + time)
                nodes[index].lastHiddenPause = now + time
                promises.hiddenPauseUntil = max(promises.hiddenPauseUntil, now + time)
            }
        case .cutDatabase(let target, let direction, let time):
            guard let index = index(of: target) else { return }
            if direction != .back { nodes[index].toDatabase = max(nodes[index].toDatabase, now + time) }
            if direction != .there { nodes[index].fromDatabase = max(nodes[index].fromDatabase, now + time) }
        case .cutProvider(let target, let direction, let time):
            guard let index = index(of: target) else { return }
            if direction != .back { nodes[index].toProvider = max(nodes[index].toProvider, now + time) }
            if direction != .there { nodes[index].fromProvider = max(nodes[index].fromProvider, now + time) }
        case .loseRoute(let target, let time):
            guard let index = index(of: target) else { return }
            nodes[index].noRouteUntil = max(nodes[index].noRouteUntil, now + time)
            schedule(.route(hasRoute: false), in: index, after: .milliseconds(1))
            queue.add(.routeRestored(node: index), at: nodes[index].noRouteUntil)
        case .slowQueries(let target, let time):
            guard let index = index(of: target) else { return }
            nodes[index].slowUntil = max(nodes[index].slowUntil, now + time)
        case .stallConnections(let target, let direction, let time):
            guard let index = index(of: target) else { return }
            if direction != .back { nodes[index].writesStallUntil = max(nodes[index].writesStallUntil, now + time) }
            if direction != .there { nodes[index].repliesStallUntil = max(nodes[index].repliesStallUntil, now + time) }
        case .stallBeats(let target, let time):
            guard let index = index(of: target) else { return }
            nodes[index].beatsStallUntil = max(nodes[index].beatsStallUntil, now + time)
        case .stallPolls(let target, let time):
            guard let index = index(of: target) else { return }
            nodes[index].pollsStallUntil = max(nodes[index].pollsStallUntil, now + time)
        case .delayWrites(let target, let time, let delay):
            guard let index = index(of: target) else { return }
            nodes[index].delayedWrites = (until: now + time, by: delay)
        case .slowDisk(let target, let time):
            guard let index = index(of: target) else { return }
            nodes[index].diskStallsUntil = max(nodes[index].diskStallsUntil, now + time)
        case .cloneState(let target, let isSameMachine, let time):
            guard let index = index(of: target) else { return }
            clone(index, isSameMachine: isSameMachine, for: time)
        case .providerFails(let time): providerFailsUntil = max(providerFailsUntil, now + time)
        case .stallCommit(let time):
            stallNext = time
            disturbDatabase(for: time + .seconds(60))
        case .stepDatabaseClock(let step): database.wallError += step
        case .databaseDown, .promote, .standbyLags, .siteFails, .backUp, .restore: try performOnDatabase(act)
        case .change: break
        }
    }

    private mutating func performOnDatabase(_ act: FleetAct) throws(Violation) {
        guard database.isUp else { return }
        switch act {
        case .databaseDown(let time): try stopDatabase(for: time, .restart)
        case .promote(let down): try stopDatabase(for: down, .promotion)
        case .standbyLags(let time):
            database.standbyFallsBehind()
            queue.add(.standbyCatchesUp, at: now + time)
            if database.isSynchronous { disturbDatabase(for: time) }
        case .siteFails(let down):
            if let leader { crash(leader, down: down * 2) }
            try stopDatabase(for: down, .promotion)
        case .backUp: database.makeBackup()
        case .restore(let down, let isOther): try stopDatabase(for: down, .restore(asOtherSystem: isOther))
        default: break
        }
    }

    private mutating func stopDatabase(for time: Duration, _ recovery: Recovery) throws(Violation) {
        let flushed = database.crash()
        if case .restart = recovery {
            databaseDisturbedUntil = max(databaseDisturbedUntil, now + time)
            for row in flushed {
                coverage.count("commit survives a crash")
                try insert(row)
            }
        } else {
            disturbDatabase(for: time)
        }
        queue.add(.databaseUp(recovery), at: now + time)
    }

    private mutating func disturbDatabase(for time: Duration) {
        databaseDisturbedUntil = max(databaseDisturbedUntil, now + time)
        databaseImpairedUntil = max(databaseImpairedUntil, now + time)
    }

    mutating func recover(_ recovery: Recovery) throws(Violation) {
        guard !database.isUp else { return }
        var lost: [UniqueID] = []
        switch recovery {
        case .restart: break
        case .promotion: lost = database.promote()
        case .restore(let isOther):
            lost = database.restore(asOtherSystem: isOther) ?? []
            promises.outdatedIncarnations = nodes.count
        }
        database.start()
        lastFault = now
        if case .restart = recovery { return }
        let isPromotion = if case .promotion = recovery { true } else { false }
        if !lost.isEmpty { coverage.count(isPromotion ? "commits lost at a promotion" : "commits lost at a restore") }
        try promisesLost(lost, isPromotion: isPromotion)
    }

    mutating func crash(_ index: Int, down: Duration) {
        guard nodes[index].process != nil else { return }
        nodes[index].process = nil
        if !nodes[index].isClone { queue.add(.start(node: index), at: now + down) }
    }

    private mutating func clone(_ index: Int, isSameMachine: Bool, for time: Duration) {
        guard nodes.count < 20 else { return }
        var copy = nodes[index]
        let rate = copy.clock.rate
        let clock = NodeClock(ownBase: copy.clock.time(at: now) + .seconds(1_000), rate: rate)
        // Its machine has another boot clock.
        copy = SimulatedNode(
            id: copy.id, machine: isSameMachine ? copy.machine : "copy \(nodes.count)", isClone: true, clock: clock,
            disk: copy.disk)
        let started = clock.time(at: now)
        copy.disk.times = copy.disk.times.map { $0.map { _ in OwnTimeBounds(earliest: nil, latest: started) } }
        nodes.append(copy)
        queue.add(.start(node: nodes.count - 1), at: now + .milliseconds(1))
        queue.add(.endOfClone(nodes.count - 1), at: now + .milliseconds(1) + time)
    }

    /// An administrator starts nodes again that have stopped, once no copy of them runs.
    mutating func restartStopped() {
        for index in nodes.indices where nodes[index].process?.isStopped == true && !nodes[index].isClone {
            let id = nodes[index].id
            guard !nodes.contains(where: { $0.id == id && $0.isClone && $0.process != nil }) else { continue }
            crash(index, down: .seconds(1))
        }
    }

    // MARK: Clients

    private mutating func request(_ index: Int, isAddition: Bool, address: Int, timeLimit: Duration) {
        guard nodes[index].process?.isStopped == false else { return }
        let token = promises.request(
            isAddition: isAddition, address: address, timeLimit: timeLimit, at: now)
        coverage.count("change requested")
        schedule(.requested(token: token, timeLimit: timeLimit), in: index, after: .microseconds(1))
    }
}
