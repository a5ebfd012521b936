import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Simulation
import Testing

@testable import FleetSimulation
@testable import FleetStore

/// The simulated database and a real one that perform the same queries.
struct PairedDatabases {
    private(set) var simulated: FleetDatabase
    private let real: TestFleet
    /// The connections of the queries and of an open commit.
    private let (queries, commits): (TestConnection, TestConnection)
    private let session: ConnectionEvent.Session
    /// The real server's identity, which the simulated one's stands for.
    private let server: ServerID

    init() async throws {
        real = try await TestFleet()
        (queries, commits) = (real.connect(), real.connect())
        session = try await queries.session()
        let row = try await real.row()
        server = row.server
        simulated = FleetDatabase(
            incarnation: row.incarnation, model: ModelState(addresses: 0, quota: 0), isSynchronous: false)
    }

    /// The results of a query, without wall clocks and with the identities of the simulation.
    typealias Results = (simulated: Result<FleetReply, FleetFailure>, real: Result<FleetReply, FleetFailure>)

    mutating func perform(_ query: FleetQuery) async throws -> Results {
        let expected = simulate(query)
        return compared(expected, try await queries.perform(query.mapServers(toReal), in: real.key))
    }

    /// Performs a query between the last statement of a commit and its end.
    mutating func perform(
        _ query: FleetQuery, duringAppendOf row: JournalRow, behind fence: Fence
    ) async throws -> Results {
        try await commits.open(.append(row, behind: fence, in: real.key))
        let began = try await lastQuery()
        let task = Task { [queries, real, query = query.mapServers(toReal)] in
            try await queries.perform(query, in: real.key)
        }
        while try await !isWaitingOrDone(since: began) { try Task.checkCancellation() }
        try await commits.run("COMMIT")
        var actual = try await task.value
        // The test was slower than the lock's time limit. Nothing was changed.
        if actual == .failure(.lockTimeout) {
            actual = try await queries.perform(query.mapServers(toReal), in: real.key)
        }
        let expected: Result<FleetReply, FleetFailure>
        if query.waitsForCommits {
            simulated.insert(row, ModelCommit(left: 0))
            expected = simulate(query)
        } else {
            expected = simulate(query)
            simulated.insert(row, ModelCommit(left: 0))
        }
        return compared(expected, actual)
    }

    /// When the last query began.
    private func lastQuery() async throws -> SQLValue {
        let began = "SELECT query_start::text FROM pg_stat_activity WHERE pid = \(session.processID)"
        return try await real.observer.results(.script(began)).rows[0][0]
    }

    private func isWaitingOrDone(since began: SQLValue) async throws -> Bool {
        let condition = SQLRequest.script(
            """
            SELECT query_start IS DISTINCT FROM \(try began.literal())::timestamptz
              AND (wait_event_type = 'Lock' OR state = 'idle')
            FROM pg_stat_activity WHERE pid = \(session.processID)
            """)
        return try await real.observer.results(condition).rows == [[.bool(true)]]
    }

    private func compared(
        _ expected: Result<FleetReply, FleetFailure>, _ actual: Result<FleetReply, FleetFailure>
    ) -> Results {
        (
            expected.map { $0.comparable { $0 } }.mapError(\.sorted),
            actual.map { $0.comparable(toSimulated) }.mapError(\.sorted)
        )
    }

    /// Makes the fleet's row that of another server, as it is after a promotion.
    mutating func moveRow(toTimeline timeline: Int) async throws {
        simulated.state.fleet.server = ServerID(system: simulated.server.system, timeline: timeline)
        try await real.observer.run(
            "UPDATE iprecord.fleet SET timeline = \(timeline) WHERE id = \(real.key.number)")
    }

    private func toReal(_ other: ServerID) -> ServerID {
        other.system == simulated.server.system ? ServerID(system: server.system, timeline: other.timeline) : other
    }

    private func toSimulated(_ other: ServerID) -> ServerID {
        other.system == server.system ? ServerID(system: simulated.server.system, timeline: other.timeline) : other
    }

    private mutating func simulate(_ query: FleetQuery) -> Result<FleetReply, FleetFailure> {
        let now = Moment.start
        switch query {
        case .readNode(let id):
            return .success(.node(simulated.state.nodeIndex(id).map { simulated.state.nodes[$0] }))
        case .register(let row, let mark):
            return .success(.changed(simulated.register(row, replacing: mark, at: now)))
        case .beat(let beat, let lease): return .success(.beat(simulated.beat(beat, lease, at: now)))
        case .takeOver(let takeover): return simulated.takeOver(takeover).map { .changed($0) }
        case .terminateBlockers: return .success(.done)
        case .handOver(let fence, let run, let hasFailed):
            return simulated.handOver(fence, to: run, hasFailed: hasFailed).map { .changed($0) }
        case .raiseIncarnation(let old, let server, let newServer, let new):
            return simulated.raise(from: old, old: server, new: newServer, to: new).map { .changed($0) }
        case .leave(let run): return .success(.changed(simulated.leave(run)))
        case .poll(let cursor, let limit, let withProposals):
            return .success(
                .polled(simulated.poll(after: cursor, limit: limit, withProposals: withProposals, at: now)))
        case .snapshot(let ids): return .success(.snapshot(simulated.snapshot(outcomesOf: ids, state: [])))
        case .append(let fence, let row):
            if let failure = simulated.check(row, fence) { return .failure(failure) }
            simulated.insert(row, ModelCommit(left: 0))
            return .success(.done)
        case .resolve(let cursor): return .success(.resolved(isCommitted: simulated.resolve(cursor)))
        case .sweep(let fence, let sweep): return simulated.sweep(fence, sweep).map { .swept($0) }
        case .propose(let proposals, let incarnation):
            return .success(.changed(simulated.propose(proposals, incarnation: incarnation)))
        case .withdraw(let ids): return .success(.withdrawn(simulated.withdraw(ids)))
        }
    }
}
