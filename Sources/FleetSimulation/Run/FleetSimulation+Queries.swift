import Fleet
import RecordKeeping
import Simulation

/// The network between nodes and the database, and the database's transactions.
extension FleetSimulation {
    /// Sends a query to the database.
    mutating func depart(_ id: FleetQuery.ID, _ query: FleetQuery, of index: Int) {
        guard let process = nodes[index].process else { return }
        if nodes[index].process?.cancelled.remove(id) != nil { return }
        let sent = SentQuery(node: index, run: process.number, id: id, query: query, connections: database.connections)
        guard database.isUp else {
            reply(.failure(.notSent(reason: "connection refused")), to: sent, after: .milliseconds(1))
            return
        }
        if now < nodes[index].toDatabase {
            // Some packets arrive once the network works again.
            guard prng.chance(0.5) else { return }
            queue.add(.execute(sent), at: nodes[index].toDatabase + latency(of: index))
            return
        }
        if !query.isRead, now < nodes[index].delayedWrites.until {
            queue.add(.execute(sent), at: now + nodes[index].delayedWrites.by)
            return
        }
        let stall = max(now, query.isRead ? nodes[index].pollsStallUntil : nodes[index].writesStallUntil)
        if case .beat = query, stall < nodes[index].beatsStallUntil {
            queue.add(.execute(sent), at: nodes[index].beatsStallUntil)
            return
        }
        queue.add(.execute(sent), at: stall + latency(of: index))
    }

    private mutating func latency(of index: Int) -> Duration {
        if now < nodes[index].slowUntil, prng.chance(0.4) { return prng.duration(.milliseconds(10), .seconds(8)) }
        if prng.chance(noise) { return prng.duration(.milliseconds(10), .seconds(6)) }
        return prng.duration(.microseconds(200), .milliseconds(3))
    }

    /// Sends the result of a query to its node, unless the network loses it.
    private mutating func reply(
        _ result: Result<FleetReply, FleetFailure>, to query: SentQuery, after delay: Duration = .zero
    ) {
        if isDatabaseCrashing { return }
        var moment = now + delay + latency(of: query.node)
        if !query.query.isRead, moment < nodes[query.node].repliesStallUntil {
            moment = nodes[query.node].repliesStallUntil
        }
        if moment < nodes[query.node].fromDatabase {
            guard prng.chance(0.5) else { return }
            moment = nodes[query.node].fromDatabase + .milliseconds(1)
        }
        var result = result
        if prng.chance(noise) {
            coverage.count("reply lost")
            result = .failure(.outcomeUnknown(reason: "connection lost"))
        }
        switch result {
        case .success(let reply): queue.add(.node(query.node, run: query.run, .replied(query.id, reply)), at: moment)
        case .failure(let failure):
            coverage.count("failure: \(failure.kind)")
            queue.add(.node(query.node, run: query.run, .failed(query.id, failure)), at: moment)
        }
    }

    /// Executes a query that has arrived at the database.
    mutating func execute(_ query: SentQuery) throws(Violation) {
        guard database.isUp, query.connections == database.connections else {
            if query.isFlushed, !database.isUp { try performInCrash(query) }
            reply(.failure(.outcomeUnknown(reason: "connection reset")), to: query)
            return
        }
        if query.query.isWriting, prng.chance(noise / 2) {
            reply(.failure(.serialization), to: query)
            return
        }
        if query.query.waitsForCommits, !database.open.isEmpty {
            block(query)
            return
        }
        if query.query.isWriting, database.waitsForStandby, !query.query.isAppend {
            // Its COMMIT waits for the standby. For the others, the transaction happens when it ends.
            var waiting = query
            waiting.isFlushed = true
            queue.add(.execute(waiting), at: now + .milliseconds(100))
            return
        }
        try perform(query)
    }

    /// Executes a query whose COMMIT waits for the standby when the server crashes. The transaction may be on the
    /// server's own disk.
    private mutating func performInCrash(_ query: SentQuery) throws(Violation) {
        guard prng.chance(0.5) else { return }
        coverage.count("transaction survives a crash")
        isDatabaseCrashing = true
        try perform(query)
        isDatabaseCrashing = false
    }

    /// Makes a query wait for a lock.
    private mutating func block(_ query: SentQuery) {
        var waiting = query
        waiting.waitsUntil = query.waitsUntil ?? now + query.query.lockWait
        if let end = waiting.waitsUntil, end <= now {
            coverage.count("lock timeout: \(query.query.lockedName)")
            reply(.failure(.lockTimeout), to: query)
            return
        }
        queue.add(.execute(waiting), at: now + .milliseconds(20))
    }

    private mutating func perform(_ query: SentQuery) throws(Violation) {
        if case .append(let fence, let row) = query.query {
            beginAppend(row, fence, query)
            return
        }
        var (model, time) = ([UInt8](), Duration.zero)
        if case .snapshot = query.query {
            model = bodies.add(database.state.model)
            time = prng.duration(.milliseconds(10), plan.maxSnapshot)
            nodes[query.node].snapshotUntil = now + time + .seconds(1)
        }
        let (row, commits) = (database.state.fleet, database.open.count)
        let result = database.perform(query.query, model: model, at: now)
        try check(result, of: query, after: row, commits: commits)
        reply(result, to: query, after: time)
    }

    /// Checks and counts the changes of a query.
    ///
    /// - Parameters:
    ///   - row: the fleet's row before the query.
    ///   - commits: the number of open commits before the query.
    private mutating func check(
        _ result: Result<FleetReply, FleetFailure>, of query: SentQuery, after row: FleetRow, commits: Int
    ) throws(Violation) {
        switch (query.query, result) {
        case (.takeOver, .success(.changed(true))): try checkTakeover(from: row, by: query.node)
        case (.terminateBlockers, _): if database.open.count < commits { coverage.count("blocker terminated") }
        case (.handOver(_, _, let hasFailed), .success(.changed(true))):
            coverage.count(hasFailed ? "handed over after failures" : "handed over")
        case (.raiseIncarnation(let old, _, _, let new), .success(.changed(true))):
            try checkIncarnation(new, after: old)
            note("incarnation \(new.number)")
            coverage.count("incarnation raised")
        case (.resolve, .success(.resolved(let isCommitted))):
            coverage.count(isCommitted ? "resolved as committed" : "resolved as not made")
        case (.sweep, .success(.swept(1...))): coverage.count("sweep")
        case (.withdraw, _): coverage.count("withdrawal")
        default: break
        }
    }

    // MARK: Commits of the leader

    private mutating func beginAppend(_ row: JournalRow, _ fence: Fence, _ query: SentQuery) {
        if let failure = database.check(row, fence) {
            reply(.failure(failure), to: query)
            return
        }
        lastAppend += 1
        let stall = stallNext
        stallNext = nil
        if stall != nil { coverage.count("commit stalls") }
        database.open.append(
            FleetDatabase.OpenAppend(number: lastAppend, row: row, waitsForClient: stall != nil))
        let time = stall ?? prng.duration(.microseconds(300), .milliseconds(8))
        queue.add(.endAppend(lastAppend, query, fence), at: now + time)
    }

    mutating func endAppend(_ number: Int, _ query: SentQuery, _ fence: Fence) throws(Violation) {
        guard let index = database.open.firstIndex(where: { $0.number == number }) else {
            // The session was terminated, or the server has crashed.
            reply(.failure(.outcomeUnknown(reason: "terminated")), to: query)
            return
        }
        if database.waitsForStandby {
            database.open[index].isFlushed = true
            queue.add(.endAppend(number, query, fence), at: now + .milliseconds(100))
            return
        }
        try insert(database.open.remove(at: index).row)
        reply(.success(.done), to: query)
    }

    /// Makes a row visible.
    mutating func insert(_ row: JournalRow) throws(Violation) {
        try checkAppend(row)
        database.insert(row, bodies.commit(row.body))
        promises.committed(row, changes: bodies.commit(row.body).changes)
        note("row \(row.seq) of term \(row.term): \(bodies.commit(row.body))")
    }
}

extension FleetQuery {
    fileprivate var isWriting: Bool {
        switch self {
        case .readNode, .poll, .snapshot, .terminateBlockers: false
        default: true
        }
    }

    /// Whether the query uses the connection for polls and snapshots.
    fileprivate var isRead: Bool {
        switch self {
        case .poll, .snapshot: true
        default: false
        }
    }

    /// How long the transaction waits for open commits (`lock_timeout`).
    fileprivate var lockWait: Duration {
        switch self {
        case .takeOver, .raiseIncarnation: FleetLimits.takeoverWait
        default: FleetLimits.lockWait
        }
    }

    /// A name of a transaction that waits for open commits, for the coverage.
    fileprivate var lockedName: String {
        switch self {
        case .takeOver: "takeover"
        case .handOver: "handover"
        case .raiseIncarnation: "incarnation"
        case .append: "append"
        case .resolve: "resolution"
        default: "withdrawal"
        }
    }

    fileprivate var isAppend: Bool {
        if case .append = self { true } else { false }
    }
}

extension FleetFailure {
    /// A name for the coverage.
    fileprivate var kind: String {
        switch self {
        case .notSent: "not sent"
        case .outcomeUnknown: "outcome unknown"
        case .leaseLost: "lease lost"
        case .otherServer: "other server"
        case .serialization: "serialization"
        case .lockTimeout: "lock timeout"
        case .numberTaken: "number taken"
        case .predecessorDiffers: "predecessor differs"
        case .operationKnown: "operation known"
        case .outcomesKnown: "outcomes known"
        case .readOnly: "read-only"
        case .refused: "refused"
        }
    }
}
