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
        let expected = simulated.perform(query, at: .start)
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
            expected = simulated.perform(query, at: .start)
        } else {
            expected = simulated.perform(query, at: .start)
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
}
