import Glibc
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQL

/// The ends of connections that a real server, a client or a time limit causes.
@Suite(.server, .timeLimit(.minutes(2)))
struct ConnectionEndTests {
    private let server: TemporaryPostgreSQL
    private let connection: TestConnection

    init() throws {
        server = try #require(ServerTrait.server)
        connection = TestConnection(server.socketURL)
    }

    /// Waits until the server works on a query of this session.
    private func waitForQuery(of session: ConnectionEvent.Session, _ other: TestConnection) async throws {
        let isActive = SQLRequest.script(
            "SELECT 1 FROM pg_stat_activity WHERE pid = \(session.processID) AND wait_event = 'PgSleep'")
        while try await other.results(isActive).rows.isEmpty { try Task.checkCancellation() }
    }

    @Test func `a query that exceeds its time limit closes the connection`() async throws {
        let limit = Duration.milliseconds(200)
        let slow = connection.begin(.script("SELECT pg_sleep(60)"), limit: limit)
        let next = connection.begin(.script("SELECT 1"))
        #expect(await slow.value == .failure(.timedOut(limit: limit, wasSent: true)))
        #expect(await next.value == .failure(.notSent(.queryTimedOut(limit: limit))))
        _ = try await connection.session()
        #expect(await connection.nextEvent()?.end == .queryTimedOut(limit: limit))
        #expect(await connection.nextEvent() == nil)
        #expect(await connection.send(.script("SELECT 1")) == .failure(.notSent(.queryTimedOut(limit: limit))))
    }

    @Test func `a query that waits longer than its time limit is not sent`() async throws {
        _ = try await connection.session()
        let first = connection.begin(.script("SELECT pg_sleep(0.5); CREATE TEMPORARY TABLE sent (n int8)"))
        let limit = Duration.milliseconds(50)
        let second = connection.begin(.script("INSERT INTO sent VALUES (1)"), limit: limit)
        let third = connection.begin(.script("SELECT count(*) FROM sent"))
        #expect(await second.value == .failure(.timedOut(limit: limit, wasSent: false)))
        #expect(await first.value.failure == nil)
        #expect(try await third.value.get().rows == [[.integer(0)]])
    }

    @Test func `after a session is terminated, the query in progress has an unknown outcome`() async throws {
        let session = try await connection.session()
        let slow = connection.begin(.script("SELECT pg_sleep(60)"))
        let waiting = (0..<3).map { _ in connection.begin(.script("SELECT 1")) }
        let other = TestConnection(server.socketURL)
        try await waitForQuery(of: session, other)
        try await other.results(.script("SELECT pg_terminate_backend(\(session.processID))"))
        let end = ConnectionEnd.endedByServer(
            ServerMessage(
                severity: .fatal, state: .adminShutdown,
                message: "terminating connection due to administrator command", routine: "ProcessInterrupts"))
        #expect(await slow.value == .failure(.outcomeUnknown(end)))
        #expect(await slow.value.failure?.isOutcomeUnknown == true)
        for query in waiting { #expect(await query.value == .failure(.notSent(end))) }
        #expect(await connection.nextEvent()?.end == end)
        #expect(await connection.nextEvent() == nil)
    }

    @Test func `a session that is terminated while it is idle ends with the reason`() async throws {
        let session = try await connection.session()
        let other = TestConnection(server.socketURL)
        try await other.results(.script("SELECT pg_terminate_backend(\(session.processID))"))
        guard case .endedByServer(let message) = await connection.nextEvent()?.end else {
            Issue.record("the reason is unknown")
            return
        }
        #expect(message.state == .adminShutdown)
        guard case .notSent = await connection.send(.script("SELECT 1")).failure else {
            Issue.record("the query was sent")
            return
        }
    }

    /// Dispatch calls the handler of the socket once after the hang-up, and libpq reads less than this in one call.
    @Test func `a reply is read to the end although the server has closed the connection`() async throws {
        let session = try await connection.session()
        let other = TestConnection(server.socketURL)
        let query = connection.begin(
            .script("SELECT repeat('x', 100000); SELECT pg_terminate_backend(pg_backend_pid())"))
        try await connection.whileBlocked {
            let isAlive = SQLRequest.script("SELECT 1 FROM pg_stat_activity WHERE pid = \(session.processID)")
            while try await !other.results(isAlive).rows.isEmpty { try Task.checkCancellation() }
        }
        #expect(await query.value.failure?.state == .adminShutdown)
        #expect(await query.value.failure?.isOutcomeUnknown == true)
    }

    @Test func `closing fails all queries once`() async throws {
        _ = try await connection.session()
        let slow = connection.begin(.script("SELECT pg_sleep(60)"))
        let waiting = (0..<3).map { _ in connection.begin(.script("SELECT 1")) }
        connection.close()
        connection.close()
        #expect(await slow.value == .failure(.outcomeUnknown(.closed)))
        for query in waiting { #expect(await query.value == .failure(.notSent(.closed))) }
        #expect(await connection.nextEvent()?.end == .closed)
        #expect(await connection.nextEvent() == nil)
    }

    /// A server of its own, since all sessions end when one crashes.
    @Test func `a killed backend leaves the outcome of its query unknown`() async throws {
        let server = try TemporaryPostgreSQL()
        let (connection, other) = (TestConnection(server.socketURL), TestConnection(server.socketURL))
        let session = try await connection.session()
        let slow = connection.begin(.script("SELECT pg_sleep(60)"))
        let next = connection.begin(.script("SELECT 1"))
        try await waitForQuery(of: session, other)
        _ = try await other.session()
        #expect(kill(session.processID, SIGKILL) == 0)
        guard case .outcomeUnknown(.lost) = await slow.value.failure, case .notSent(.lost) = await next.value.failure,
            case .lost = await connection.nextEvent()?.end
        else {
            Issue.record("the loss was not noticed")
            return
        }
        // The server terminates the other sessions, which may share damaged memory. It does not always say why.
        switch await other.nextEvent()?.end {
        case .endedByServer(let message): #expect(message.state == SQLState("57P02"))
        case .lost: break
        case let end: Issue.record("\(String(describing: end))")
        }
        server.stop()
    }

    @Test func `a standby is refused, and the next server is used`() async throws {
        let standby = try TemporaryPostgreSQL(isStandby: true)
        let failure = await TestConnection(standby.socketURL).nextEvent()?.failure
        guard case .connectFailed(let reason, _) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.hasSuffix("session is read-only"))
        let hosts = "host=\(standby.directory),\(server.directory) port=\(standby.port),\(server.port)"
        let connection = TestConnection("\(hosts) user=fleet dbname=postgres")
        let reply = try await connection.results(.script("SELECT current_setting('port')"))
        #expect(reply.rows == [[.text("\(server.port)")]])
        standby.stop()
    }
}
