import PostgreSQLTestSupport
import Testing

@testable import PostgreSQL

/// Queries on a real server.
@Suite(.server, .timeLimit(.minutes(2)))
struct QueryTests {
    private let server: TemporaryPostgreSQL
    private let connection: TestConnection

    init() throws {
        server = try #require(ServerTrait.server)
        connection = TestConnection(server.socketURL)
    }

    @Test func `a message with several statements returns all results`() async throws {
        let reply = try await connection.results(
            .script(
                """
                BEGIN; CREATE TEMPORARY TABLE t (n int8, b bytea); INSERT INTO t VALUES (1, '\\x00ff'), (2, NULL);
                SELECT n, b, n::text AS x FROM t ORDER BY n; COMMIT
                """))
        #expect(
            reply.results == [
                .init(), .init(), .init(),
                .init(
                    columns: ["n", "b", "x"],
                    rows: [[.integer(1), .bytes([0, 255]), .text("1")], [.integer(2), .null, .text("2")]]),
                .init(),
            ])
        #expect(reply.warnings == [])
        #expect(reply.rows == [])
    }

    @Test func `integers of all sizes are integers`() async throws {
        let reply = try await connection.results(.script("SELECT (-32768)::int2, 2147483647::int4, 4294967295::oid"))
        #expect(reply.rows == [[.integer(-32_768), .integer(2_147_483_647), .integer(4_294_967_295)]])
    }

    @Test func `a value of a type without a case is text`() async throws {
        #expect(try await connection.results(.script("SELECT 1.50::numeric")).rows == [[.text("1.50")]])
    }

    @Test(arguments: ["on", "off"])
    func `literals have their values with any setting`(standardConformingStrings: String) async throws {
        let values: [SQLValue] = [
            .null, .bool(true), .bool(false), .integer(.min), .integer(.max), .bytes([]), .bytes(Array(0...255)),
            .text(""), .text("'; DROP TABLE t; --"), .text("\\'\\\\''"), .text("it's a \\ \"test\" ü 🦆\n\u{1}$$"),
        ]
        let literals = try values.map { try $0.literal() }
        let setting = "SET standard_conforming_strings = \(standardConformingStrings)"
        try await connection.results(.script(setting))
        let difference = "SELECT 1 -\(try SQLValue.integer(-1).literal())"
        let reply = try await connection.results(.script("\(difference); SELECT \(literals.joined(separator: ","))"))
        #expect(reply.results.map(\.rows) == [[[.integer(2)]], [values]])
        #expect(reply.warnings == [])
    }

    @Test func `an error skips the statements after it`() async throws {
        let outcome = await connection.send(
            .script("BEGIN; DO $$ BEGIN RAISE EXCEPTION 'lease lost' USING HINT = 'give up'; END $$; SELECT 1; COMMIT"))
        let message = ServerMessage(
            severity: .error, state: .raisedException, message: "lease lost", hint: "give up",
            routine: "exec_stmt_raise")
        #expect(outcome == .failure(.server(message)))
        #expect(outcome.failure?.state == .raisedException)
        // The transaction is still open.
        #expect(await connection.send(.script("SELECT 1")).failure?.state == SQLState("25P02"))
        try await connection.results(.script("ROLLBACK"))
        #expect(try await connection.results(.script("SELECT 1::int8")).rows == [[.integer(1)]])
    }

    @Test func `a violation of a key has its code and names the row only in the detail`() async throws {
        try await connection.results(.script("CREATE TEMPORARY TABLE u (n int8 PRIMARY KEY); INSERT INTO u VALUES (7)"))
        let failure = await connection.send(.script("INSERT INTO u VALUES (7)")).failure
        let message = ServerMessage(
            severity: .error, state: .uniqueViolation,
            message: "duplicate key value violates unique constraint \"u_pkey\"", detail: "Key (n)=(7) already exists.",
            routine: "_bt_check_unique")
        #expect(failure == .server(message))
        #expect("\(message)" == "duplicate key value violates unique constraint \"u_pkey\" (23505)")
    }

    @Test func `warnings come with the reply`() async throws {
        let reply = try await connection.results(.script("COMMIT"))
        #expect(reply.warnings.map(\.state.code) == ["25P01"])
        #expect(try await connection.results(.script("SELECT 1")).warnings == [])
    }

    @Test func `warnings at the start of a session do not come with a reply`() async throws {
        let database = "d\(UInt32.random(in: 0 ... .max))"
        try await connection.results(.script("CREATE DATABASE \(database)"))
        // As after an upgrade of the C library, whose collations have another version: CheckMyDatabase() warns.
        try await connection.results(
            .script("UPDATE pg_database SET datcollversion = 'x' WHERE datname = '\(database)'"))
        let other = TestConnection(server.socketURL(database: database))
        #expect(try await other.results(.script("SELECT 1")).warnings == [])
        #expect(try await other.results(.script("COMMIT")).warnings.map(\.state.code) == ["25P01"])
    }

    @Test func `ten thousand queries get their replies in order`() async throws {
        let tasks = (0..<10_000).map { connection.begin(.script("SELECT \($0)::int8")) }
        for (number, task) in tasks.enumerated() {
            #expect(try await task.value.get().rows == [[.integer(Int64(number))]])
        }
    }

    @Test func `a request and a reply can be larger than the buffers of the socket`() async throws {
        let bytes = [UInt8](repeating: 0xA5, count: 32 << 20)
        let reply = try await connection.results(.script("SELECT \(try SQLValue.bytes(bytes).literal())"))
        #expect(reply.rows == [[.bytes(bytes)]])
    }

    @Test func `notifications arrive without a query`() async throws {
        try await connection.results(.script("LISTEN hint"))
        #expect(await connection.nextEvent()?.session != nil)
        let other = TestConnection(server.socketURL)
        let sender = try await other.results(.script("SELECT pg_backend_pid(); NOTIFY hint, 'seq 5'"))
        let notification = await connection.nextEvent()?.notification
        #expect(notification?.channel == "hint" && notification?.payload == "seq 5")
        #expect(sender.results[0].rows == [[.integer(Int64(notification?.processID ?? 0))]])
    }

    @Test func `invalid requests are refused before they are sent`() async throws {
        #expect(
            await connection.send(.script("SELECT 1\0"))
                == .failure(.invalidRequest(reason: "a text contains a zero byte")))
        #expect(try await connection.results(.script("SELECT 1::int8")).rows == [[.integer(1)]])
    }

    @Test func `COPY closes the connection`() async throws {
        let copy = connection.begin(.script("COPY (SELECT 1) TO STDOUT"))
        let next = connection.begin(.script("SELECT 1"))
        let end = ConnectionEnd.unexpectedReply(reason: "a result has the status 3")
        #expect(await copy.value == .failure(.outcomeUnknown(end)))
        #expect(await next.value == .failure(.notSent(end)))
    }
}
