import Fleet
import RecordKeeping
import Simulation

/// The promises that are checked every second.
extension FleetSimulation {
    /// Time after which a new leader is expected, on the slowest clock, if nothing new goes wrong.
    private static let leaderWithin = Duration.seconds(40)
    /// The same after a crash of the leader with nothing else wrong.
    private static let leaderAfterCrash = Duration.milliseconds(12_000)

    mutating func check() throws(Violation) {
        if !hasEnded { queue.add(.check, at: now + .seconds(1)) }
        restartStopped()
        try checkLeader()
        try checkLag()
        try checkFreshness()
    }

    /// Whether the database has worked for a while.
    private func isDatabaseHealthy(for time: Duration) -> Bool {
        database.isUp && now - databaseDisturbedUntil >= time
    }

    private func isHealthy(_ index: Int, for time: Duration) -> Bool {
        guard let since = nodes[index].healthySince(at: now) else { return false }
        return now - since >= time
    }

    private mutating func checkLeader() throws(Violation) {
        guard leader == nil else {
            if let crash = promises.crashOfLeader, let since = promises.leaderlessSince, since >= crash {
                coverage.count("new leader after \((now - crash).components.seconds) s")
                promises.crashOfLeader = nil
            }
            promises.leaderlessSince = nil
            return
        }
        let since = promises.leaderlessSince ?? now
        promises.leaderlessSince = since
        let isSimple = promises.crashOfLeader == lastFault && plan.areClocksCorrect && plan.noise == 0
        let limit = isSimple ? Self.leaderAfterCrash : plan.noise > 0 ? Self.leaderWithin * 3 : Self.leaderWithin
        let start = isSimple ? lastFault : max(lastFault, since)
        guard now - start > limit, isDatabaseHealthy(for: limit) else { return }
        if nodes.indices.contains(where: { isHealthy($0, for: limit) && !nodes[$0].isClone }) {
            throw broken("an able node leads soon", "no leader since \(since), last fault at \(lastFault)")
        }
    }

    /// Checks that followers apply commits within seconds.
    private mutating func checkLag() throws(Violation) {
        promises.ends.append((now, database.state.last))
        if promises.ends.count > 4 { promises.ends.removeFirst() }
        guard plan.noise == 0, isDatabaseHealthy(for: .seconds(30)), let end = promises.ends.first,
            now - lastFault > .seconds(30)
        else { return }
        for index in nodes.indices where isHealthy(index, for: .seconds(30)) && !nodes[index].isClone {
            guard nodes[index].disk.cursor.seq >= end.cursor.seq else {
                throw broken(
                    "a node applies a commit within seconds",
                    "node \(index) at \(nodes[index].disk.cursor.seq), row \(end.cursor.seq) at \(end.at)")
            }
        }
    }

    /// Checks that no node presents an expired record as fresh.
    private func checkFreshness() throws(Violation) {
        guard plan.areClocksCorrect else { return }
        for index in nodes.indices where !nodes[index].isFrozen(at: now) {
            guard now - nodes[index].lastHiddenPause > plan.interval * 2 else { continue }
            guard let process = nodes[index].process else { continue }
            let time = nodes[index].clock.time(at: now)
            for address in process.core.state.entries.indices {
                guard process.core.isFresh(address, member: process.member, at: time),
                    let record = process.core.state.entries[address].record, let sent = calls[record.call].departedAt
                else { continue }
                if now - sent > plan.interval * 1.003 + .milliseconds(10) {
                    throw broken("an expired record is not presented as fresh", "node \(index), address \(address)")
                }
            }
        }
    }

    // MARK: The end

    /// Ends all faults.
    mutating func endFaults() {
        isQuiet = true
        note("quiet")
        lastFault = now
        stallNext = nil
        providerFailsUntil = min(providerFailsUntil, now)
        for index in nodes.indices {
            nodes[index].toDatabase = min(nodes[index].toDatabase, now)
            nodes[index].fromDatabase = min(nodes[index].fromDatabase, now)
            nodes[index].toProvider = min(nodes[index].toProvider, now)
            nodes[index].fromProvider = min(nodes[index].fromProvider, now)
            nodes[index].slowUntil = min(nodes[index].slowUntil, now)
            nodes[index].writesStallUntil = min(nodes[index].writesStallUntil, now)
            nodes[index].repliesStallUntil = min(nodes[index].repliesStallUntil, now)
        }
        // Some faults end by themselves: pauses, outages of the database, lost routes and copies of nodes.
        let ends = nodes.map { max($0.frozenUntil, $0.noRouteUntil) } + [databaseDisturbedUntil, now]
        let rounds = (plan.addresses + plan.quota - 1) / plan.quota + 3
        let time = FleetSimulation.leaderWithin * 3 + plan.maxSnapshot * 3 + plan.window * rounds + plan.interval * 2
        queue.add(.end, at: (ends.max() ?? now) + .seconds(200) + time)
    }

    mutating func checkEnd() throws(Violation) {
        hasEnded = true
        coverage.count("end")
        guard let leader else { throw broken("an able node leads at the end", "no leader") }
        // A copy may have stopped its original.
        let members = nodes.indices.filter { !nodes[$0].isClone && nodes[$0].process?.isStopped == false }
        for index in members {
            let cursor = nodes[index].disk.cursor
            guard cursor.seq >= promises.ends.first?.cursor.seq ?? 0, database.state.id(of: cursor.seq) == cursor.id
            else {
                throw broken("all nodes have the same journal at the end", "node \(index) at \(cursor.seq)")
            }
        }
        for index in members {
            guard let unnamed = promises.unnamed[index], let first = unnamed.min() else { continue }
            throw broken("an alert names lost commits", "node \(index): \(unnamed.count) from \(first)")
        }
        try checkRefreshes(leader: leader, members: members)
    }

    /// Checks that all watched addresses are fresh at the end, on all nodes.
    private mutating func checkRefreshes(leader: Int, members: [Int]) throws(Violation) {
        let rounds = (plan.addresses + plan.quota - 1) / plan.quota + 1
        let limit = plan.interval + plan.window * (rounds + 1) + .seconds(30)
        for (address, entry) in database.state.model.entries.enumerated() where entry.isWatched {
            let sent = entry.record.flatMap { calls[$0.call].departedAt }
            guard let sent, now - sent < limit else {
                throw broken(
                    "all records are fresh after all faults",
                    "address \(address), called at \(String(describing: sent))")
            }
            guard plan.areClocksCorrect, now - promises.hiddenPauseUntil > plan.interval * 3 else { continue }
            for index in members where now - sent < plan.interval - .seconds(12) {
                guard let process = nodes[index].process, now - process.startedAt > plan.interval,
                    process.core.state.entries[address].record == entry.record
                else { continue }
                if !process.core.isFresh(address, member: process.member, at: nodes[index].clock.time(at: now)) {
                    throw broken("a node knows that a record is fresh", "node \(index), address \(address)")
                }
            }
        }
    }
}
