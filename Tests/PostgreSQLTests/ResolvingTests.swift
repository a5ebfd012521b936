import Confinement
import Dispatch
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQL

/// Connecting to servers whose names are resolved slowly or not at all.
@Suite(.server, .timeLimit(.minutes(2)))
struct ResolvingTests {
    private let server: TemporaryPostgreSQL

    init() throws {
        server = try #require(ServerTrait.server)
    }

    /// Connects with a resolver, and returns the first event.
    private static func firstEvent(
        _ hosts: String, port: Int, limit: Duration, _ resolve: @escaping ServerAddress.Resolver
    ) async -> ConnectionEvent? {
        let queue = DispatchQueue(label: "postgresql.test")
        let (events, continuation) = AsyncStream.makeStream(of: ConnectionEvent.self)
        let settings = ConnectionSettings(
            url: "host=\(hosts) port=\(port) user=\(TemporaryPostgreSQL.user) dbname=postgres",
            password: DatabasePassword(TemporaryPostgreSQL.password), connectLimit: limit)
        let connection = queue.sync {
            let connection = PostgreSQLConnection.open(
                settings, queue: queue, library: "libpq.so.5", resolve: resolve
            ) { event in
                continuation.yield(event)
            }
            return QueueConfined(connection, onQueue: queue)
        }
        defer { queue.async { connection.value.close() } }
        for await event in events { return event }
        return nil
    }

    @Test(arguments: ["silent.invalid,127.0.0.1", "127.0.0.1,silent.invalid", "silent.invalid,named.invalid"])
    func `a name that is never resolved does not prevent the attempts on other servers`(hosts: String) async {
        let event = await Self.firstEvent(hosts, port: server.port, limit: .seconds(4)) { host, done in
            if host != "silent.invalid" { done(.success(["127.0.0.1"])) }
        }
        #expect(event?.session != nil)
    }

    @Test func `a name that is resolved late is used if no address was known before`() async {
        let event = await Self.firstEvent("late.invalid", port: server.port, limit: .seconds(4)) { _, done in
            DispatchQueue(label: "late").asyncAfter(deadline: .now() + .milliseconds(2_500)) {
                done(.success(["127.0.0.1"]))
            }
        }
        #expect(event?.session != nil)
    }

    @Test func `if no name is resolved, the time limit ends the attempt`() async {
        let limit = Duration.milliseconds(200)
        let event = await Self.firstEvent("a.invalid,b.invalid", port: 1, limit: limit) { _, _ in }
        #expect(event?.failure == .connectTimedOut(limit: limit, reason: "the host name was not resolved"))
    }

    @Test func `the failures of names are reported with those of the servers`() async throws {
        let port = try LoopbackListener().port
        let event = await Self.firstEvent("a.invalid,127.0.0.1", port: port, limit: .seconds(20)) { host, done in
            done(host == "a.invalid" ? .failure(.unresolvedHost(host, reason: "x")) : .success([host]))
        }
        guard case .connectFailed(let reason, nil) = event?.failure else {
            Issue.record("\(String(describing: event))")
            return
        }
        #expect(reason.contains("\"a.invalid\": x; ") && reason.contains("Connection refused"))
    }

    @Test func `servers are tried in the order of the URL, not of the replies`() {
        let servers = ["a", "/run", "b"].map { ServerAddress(host: $0, port: "1") }
        var hosts = HostResolution(servers)
        #expect(hosts.pendingHosts.map(\.host) == ["a", "b"] && hosts.addresses == [servers[1]])
        hosts.record(.success(["::2"]), at: 2)
        hosts.record(.success(["::1", "192.0.2.1"]), at: 0)
        #expect(hosts.pendingHosts.isEmpty && hosts.failures.isEmpty)
        #expect(hosts.addresses.map { $0.numericAddress ?? "" } == ["::1", "192.0.2.1", "", "::2"])
    }
}
