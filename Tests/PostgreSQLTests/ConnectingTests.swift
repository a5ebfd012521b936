import Glibc
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Connecting to a real server, and to none.
@Suite(.server, .timeLimit(.minutes(2)))
struct ConnectingTests {
    private let server: TemporaryPostgreSQL
    private let password = DatabasePassword(TemporaryPostgreSQL.password)

    init() throws {
        server = try #require(ServerTrait.server)
    }

    /// A URL with several ports of the loopback interface.
    private func url(_ ports: [Int]) -> String {
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        return "postgresql://\(TemporaryPostgreSQL.user)@\(hosts)/postgres"
    }

    @Test func `a session over TCP uses the settings`() async throws {
        let settings = ConnectionSettings(url: server.portURL, password: password, applicationName: "node a")
        let connection = TestConnection(settings)
        let session = try await connection.session()
        #expect(session.serverVersion >= 130_000)
        let reply = try await connection.results(
            .script(
                """
                SELECT pg_backend_pid(), current_setting('application_name'), current_setting('client_encoding'),
                    host(inet_server_addr())
                """))
        #expect(
            reply.rows == [[.integer(Int64(session.processID)), .text("node a"), .text("UTF8"), .text("127.0.0.1")]])
    }

    @Test func `a session over a Unix socket needs no password`() async throws {
        let connection = TestConnection(server.socketURL)
        #expect(try await connection.results(.script("SELECT inet_server_addr()")).rows == [[.null]])
    }

    @Test func `a wrong password is a failure of authentication`() async {
        let secret = "wrong-but-still-secret"
        let settings = ConnectionSettings(url: server.portURL, password: DatabasePassword(secret))
        let connection = TestConnection(settings)
        let query = connection.begin(.script("SELECT 1"))
        let failure = await connection.nextEvent()?.failure
        let reason = """
            connection to server at "127.0.0.1", port \(server.port) failed: FATAL:  28P01: password authentication \
            failed for user "fleet"
            """
        #expect(failure == .authenticationFailed(reason: reason))
        #expect(await query.value == .failure(.notConnected(.authenticationFailed(reason: reason))))
        #expect(await connection.nextEvent() == nil)
        let later = await connection.send(.script("SELECT 1"))
        #expect(later == .failure(.notConnected(.authenticationFailed(reason: reason))))
        #expect("\(failure.map { "\($0)" } ?? "")".contains("check the user in the URL, the password"))
        #expect(!"\(String(describing: failure)) \(later) \(settings)".contains(secret))
    }

    @Test func `a missing password is a failure of authentication`() async {
        let settings = ConnectionSettings(url: server.portURL, passwordFile: "/nonexistent")
        guard case .authenticationFailed(let reason) = await TestConnection(settings).nextEvent()?.failure else {
            Issue.record("the server did not ask for a password")
            return
        }
        #expect(reason.hasSuffix("fe_sendauth: no password supplied"))
    }

    @Test func `the password can be in a file`() async throws {
        let folder = try TemporaryFolder()
        // The format quotes colons and backslashes only.
        try folder.write("localhost:*:*:fleet:\(TemporaryPostgreSQL.password)\n", to: "passfile")
        #expect(chmod(folder.file("passfile"), 0o600) == 0)
        let settings = ConnectionSettings(url: server.portURL, passwordFile: folder.file("passfile"))
        _ = try await TestConnection(settings).session()
    }

    @Test func `a host name that cannot be resolved is named`() async {
        let connection = TestConnection("postgresql://no-such-host.invalid/postgres")
        guard case .unresolvedHost("no-such-host.invalid", _) = await connection.nextEvent()?.failure else {
            Issue.record("the name was resolved")
            return
        }
    }

    @Test func `a session can be encrypted, and the certificate is that of the host name`() async throws {
        let connection = TestConnection(ConnectionSettings(url: server.encryptedURL, password: password))
        let reply = try await connection.results(
            .script("SELECT ssl, repeat('x', 8000000) FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
        #expect(reply.rows == [[.bool(true), .text(String(repeating: "x", count: 8_000_000))]])
        let other = server.encryptedURL.replacing("localhost", with: "127.0.0.1")
        let failure = await TestConnection(ConnectionSettings(url: other, password: password)).nextEvent()?.failure
        guard case .connectFailed(let reason, nil) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.contains("does not match host name"))
    }

    @Test func `a closed port is a failure to connect`() async throws {
        let port = try LoopbackListener().port
        guard case .connectFailed(let reason, nil) = await TestConnection(url([port])).nextEvent()?.failure else {
            Issue.record("the port is open")
            return
        }
        #expect(reason.contains("Connection refused"))
    }

    @Test func `a silent server uses only its share of the time limit`() async throws {
        let silent = try LoopbackListener()
        let closed = try LoopbackListener().port
        let settings = ConnectionSettings(
            url: url([silent.port, closed, server.port]), password: password, connectLimit: .seconds(3))
        _ = try await TestConnection(settings).session()
    }

    @Test func `the time limit holds for all servers together`() async throws {
        let silent = try LoopbackListener()
        let limit = Duration.seconds(3)
        let settings = ConnectionSettings(
            url: url(Array(repeating: silent.port, count: 16)), password: password, connectLimit: limit)
        let clock = ContinuousClock()
        let start = clock.now
        let failure = await TestConnection(settings).nextEvent()?.failure
        #expect(failure == .connectTimedOut(limit: limit, reason: nil))
        let elapsed = clock.now - start
        #expect(elapsed >= .milliseconds(2_990))
        // With a limit for each server, it would be 48 s. A busy machine may add some seconds.
        #expect(elapsed < .seconds(24))
    }

    @Test func `a query's time limit includes the time to connect`() async throws {
        let silent = try LoopbackListener()
        let connection = TestConnection(url([silent.port]))
        let limit = Duration.milliseconds(100)
        #expect(
            await connection.send(.script("SELECT 1"), limit: limit)
                == .failure(.timedOut(limit: limit, wasSent: false)))
    }

    @Test func `a connection can be closed while it connects`() async throws {
        let silent = try LoopbackListener()
        let connection = TestConnection(url([silent.port]))
        let query = connection.begin(.script("SELECT 1"))
        connection.close()
        #expect(await query.value == .failure(.notSent(.closed)))
        #expect(await connection.nextEvent()?.end == .closed)
        #expect(await connection.nextEvent() == nil)
    }

    @Test func `a database that does not exist is a failure with its code`() async {
        let url = server.socketURL.replacing("/postgres?", with: "/nowhere?")
        let failure = await TestConnection(url).nextEvent()?.failure
        #expect(failure?.state == SQLState("3D000"))
    }

    @Test func `a library that is not installed is named with its package`() async {
        let connection = TestConnection(ConnectionSettings(url: server.socketURL), library: "libpq.so.missing")
        let failure = await connection.nextEvent()?.failure
        guard case .libraryMissing = failure else {
            Issue.record("the library was loaded")
            return
        }
        #expect(
            failure?.description == """
                cannot load libpq, PostgreSQL's client library: libpq.so.missing: cannot open shared object file: No \
                such file or directory; install the package libpq5
                """)
    }

    @Test func `another library in place of libpq is refused`() async {
        let connection = TestConnection(ConnectionSettings(url: server.socketURL), library: "libc.so.6")
        guard case .libraryMissing(let reason) = await connection.nextEvent()?.failure else {
            Issue.record("the library was used")
            return
        }
        #expect(reason.contains("PQconninfoParse"))
    }

    @Test(arguments: [
        "postgresql://u:hidden@h/d", "host=h password=hidden", "postgresql://u@h/d?sslpassword=hidden",
        "postgresql://u:hid%ZZden@h/d", "postgresql://u:hidden@[::1/d", "host=h hidden", "host=h hidden=1",
        "password='hidden", "postgresql://u@h/d?hidden=1", "postgresql://u@h/d?connect_timeout=1&=hidden",
    ])
    func `a URL with a secret or an error is not quoted`(url: String) async {
        let failure = await TestConnection(url).nextEvent()?.failure
        switch failure {
        case .secretInURL, .invalidURL: break
        default: Issue.record("\(String(describing: failure))")
        }
        #expect(!"\(String(describing: failure))".contains("hid"))
    }
}
