import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Testing

@testable import FleetStore

/// The creation and the migration of the schema, each test in a database of its own.
@Suite(.server, .timeLimit(.minutes(2)))
struct SchemaTests {
    private let server: TemporaryPostgreSQL
    private let administrator: TestConnection
    private let database: String

    init() async throws {
        server = try #require(ServerTrait.server)
        administrator = TestConnection(server.socketURL)
        database = "d\(UInt32.random(in: 0 ... .max))"
        try await administrator.run("CREATE DATABASE \(database)")
    }

    private func connect(as user: String = TemporaryPostgreSQL.user) -> TestConnection {
        TestConnection(server.socketURL(user: user, database: database))
    }

    private static func initialize(_ name: String = "default", role: String? = nil) throws -> FleetOperation<FleetKey> {
        try .initialize(fleet: name, incarnation: .random(), grantingTo: role)
    }

    @Test func `without a schema, the failure says what to do`() async throws {
        let failure = await connect().perform(try .find(fleet: "default")).failure
        #expect(failure == .schemaMissing)
        #expect(
            failure?.description
                == "the database has no schema \"iprecord\"; create it with iprecordd --fleet-init")
    }

    @Test func `two hosts that create the schema at once get one fleet`() async throws {
        let (first, second) = (connect(), connect())
        let session = try await second.session()
        try await first.open(Self.initialize("it's \"a\""))
        let outcome = second.begin(try Self.initialize("it's \"a\""))
        let isWaiting = SQLRequest.script(
            "SELECT 1 FROM pg_stat_activity WHERE pid = \(session.processID) AND wait_event = 'advisory'")
        while try await administrator.results(isWaiting).rows.isEmpty { try Task.checkCancellation() }
        try await first.run("COMMIT")
        let key = try await outcome.value.get()
        #expect(await first.perform(try .find(fleet: "it's \"a\"")) == .success(key))
        #expect(await first.perform(try Self.initialize("it's \"a\"")) == .success(key))
        let other = try await second.perform(Self.initialize("b")).get()
        #expect(other != key)
        #expect(await first.perform(try .find(fleet: "c")).failure == .unknownFleet(name: "c"))
        #expect(try await first.results(.script("SELECT count(*) FROM iprecord.fleet")).rows == [[.integer(2)]])
    }

    @Test func `a newer schema is refused, unless it says that this program can use it`() async throws {
        let connection = connect()
        let key = try await connection.perform(Self.initialize()).get()
        try await connection.run("UPDATE iprecord.version SET version = 99")
        let known = FleetSchema.newest
        let failure = await connection.perform(try Self.initialize("b")).failure
        #expect(failure == .schemaNewer(found: 99, known: known))
        #expect(
            failure?.description
                == """
                the schema of the database has version 99, and this program knows versions up to \(known); upgrade \
                iprecord on this host
                """)
        #expect(await connection.perform(try .find(fleet: "default")) == .success(key))
        #expect(await connection.perform(try .find(fleet: "b")).failure == .unknownFleet(name: "b"))
        try await connection.run("UPDATE iprecord.version SET usable_from = 98")
        #expect(await connection.perform(try .find(fleet: "default")).failure == failure)
    }

    @Test func `an older schema is refused until it is migrated`() async throws {
        let connection = connect()
        _ = try await connection.perform(Self.initialize()).get()
        try await connection.run("UPDATE iprecord.version SET version = 0")
        #expect(
            await connection.perform(try .find(fleet: "default")).failure
                == .schemaOlder(found: 0, needed: FleetSchema.newest))
    }

    @Test func `a failed migration changes nothing`() async throws {
        let connection = connect()
        try await connection.run("CREATE SCHEMA iprecord; CREATE TABLE iprecord.outcome ()")
        guard case .query(.refused(let reason)) = await connection.perform(try Self.initialize()).failure else {
            Issue.record("the schema was created")
            return
        }
        #expect(reason.contains("(42P07)"))
        let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'iprecord'"
        #expect(try await connection.results(.script(tables)).rows == [[.integer(1)]])
    }

    @Test func `a node needs only the granted privileges`() async throws {
        let (owner, node, stranger) = ("o_\(database)", "n_\(database)", "s_\(database)")
        for role in [owner, node, stranger] { try await administrator.run("CREATE ROLE \(role) LOGIN") }
        try await administrator.run("GRANT CREATE ON DATABASE \(database) TO \(owner)")
        guard case .query(.refused(let reason)) = await connect(as: node).perform(try Self.initialize()).failure else {
            Issue.record("a node has created the schema")
            return
        }
        #expect(reason.contains("(42501)"))
        let key = try await connect(as: owner).perform(Self.initialize(role: node)).get()
        guard case .query(.refused) = await connect(as: stranger).perform(try .find(fleet: "default")).failure else {
            Issue.record("a role without privileges has read the schema")
            return
        }
        let connection = connect(as: node)
        #expect(await connection.perform(try .find(fleet: "default")) == .success(key))
        let steps = try await EveryOperation(connection, key)
        try await steps.perform()
        for statement in [
            """
            INSERT INTO iprecord.fleet (name, incarnation_id, system_id, timeline)
            SELECT 'x', incarnation_id, 1, 1 FROM iprecord.fleet
            """,
            "DELETE FROM iprecord.fleet", "UPDATE iprecord.version SET version = 5", "CREATE TABLE iprecord.x ()",
            "DROP TABLE iprecord.journal",
        ] {
            #expect(await connection.send(.script(statement)).failure?.state == SQLState("42501"))
        }
        // The session of another role is visible with pg_read_all_stats, and can be terminated with pg_signal_backend.
        let fence = try await steps.lead()
        let blocker = connect()
        var script = FleetScript(.readCommitted)
        try script.call("fence", fence.arguments(key))
        try await blocker.open(script.statements)
        for (grant, result) in [
            ("pg_monitor", TerminatedBlockers(count: 0, refused: 0)),
            ("pg_read_all_stats", TerminatedBlockers(count: 0, refused: 1)),
        ] {
            if grant == "pg_read_all_stats" { try await administrator.run("GRANT \(grant) TO \(node)") }
            #expect(await connect(as: node).perform(try .terminateBlockers(in: key)) == .success(result))
        }
        try await blocker.run("COMMIT")
        let other = connect(as: stranger)
        try await administrator.run("GRANT \(node) TO \(stranger); GRANT pg_signal_backend TO \(node)")
        try await other.open(script.statements)
        #expect(
            await connect(as: node).perform(try .terminateBlockers(in: key))
                == .success(TerminatedBlockers(count: 1, refused: 0)))
    }

    @Test func `an operation succeeds although the server warns of something else`() async throws {
        let connection = connect()
        let fleet = try await TestFleet(connection, server)
        let fence = try await fleet.leader()
        // As GetNewTransactionId() does before the transaction ids are used up: a warning with the general code.
        try await connection.run(
            """
            CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE WARNING 'database must be vacuumed within 4711 transactions'; RETURN NEW; END $$;
            CREATE TRIGGER warn BEFORE INSERT OR UPDATE ON iprecord.node FOR EACH ROW EXECUTE FUNCTION warn()
            """)
        let leave = try FleetOperation.leave(fence.leader, in: fleet.key)
        #expect(try await connection.results(leave.request).warnings.map(\.state.code) == ["01000"])
        #expect(await connection.perform(leave) == .success(true))
    }

    @Test func `a missing function is not a missing schema`() async throws {
        let connection = connect()
        let key = try await connection.perform(Self.initialize()).get()
        try await connection.run("DROP FUNCTION iprecord.leave; DROP TABLE iprecord.proposal")
        let run = NodeRun(node: NodeID("a"), epoch: 1)
        let poll = try FleetOperation.poll(after: .start, limit: 1, withProposals: true, in: key)
        for (failure, code) in [
            (await connection.perform(try .leave(run, in: key)).failure, "42883"),
            (await connection.perform(poll).failure, "42P01"),
        ] {
            guard case .query(.refused(let reason)) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(reason.contains("(\(code))"))
        }
        try await connection.run("DROP SCHEMA iprecord CASCADE")
        #expect(await connection.perform(try .leave(run, in: key)).failure == .schemaMissing)
    }

    @Test func `operations change no setting of the session, and do not depend on them`() async throws {
        let connection = connect()
        let key = try await connection.perform(Self.initialize()).get()
        let settings = """
            SELECT current_setting('synchronous_commit'), current_setting('default_transaction_isolation'),
              current_setting('lock_timeout'), current_setting('transaction_isolation'),
              (SELECT count(*) FROM pg_prepared_statements),
              (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())
            """
        try await connection.run(
            "SET synchronous_commit = off; SET default_transaction_isolation = 'serializable'; SET lock_timeout = '3s'")
        let before = try await connection.results(.script(settings)).rows
        let steps = try await EveryOperation(connection, key)
        try await steps.perform()
        #expect(try await connection.results(.script(settings)).rows == before)
        let fence = try await steps.lead()
        let last = try await connection.perform(
            .poll(after: .start, limit: 1, withProposals: false, in: key)
        ).get().last
        let append = try FleetOperation.append(.following(last, fence), behind: fence, in: key)
        let text = append.request.text
        #expect(
            try await connection.results(.script(text + ";" + settings)).rows.first?.prefix(4) == [
                .text("on"), .text("serializable"), .text("4s"), .text("read committed"),
            ])
        // An error leaves no transaction to be ended.
        #expect(await connection.perform(append).failure == .query(.operationKnown))
        #expect(try await connection.results(.script(settings)).rows == before)
        // A higher durability is kept.
        try await connection.run("SET synchronous_commit = remote_apply")
        let fenced = "\(text.split(separator: ";\n").prefix(2).joined(separator: ";\n"));"
        var script = FleetScript(.readCommitted)
        try script.call("fence", fence.arguments(key))
        #expect(
            try await connection.results(.script(fenced + script.statements + ";" + settings)).rows.first?.first
                == .text("remote_apply"))
    }
}
