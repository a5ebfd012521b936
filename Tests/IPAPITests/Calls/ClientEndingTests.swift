import IPAPI
import RecordKeeping
import Testing

/// Calls that end without a reply.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ClientEndingTests {
    // Without a timeout, the dripping reply would take 50 s, the slow one 30 s, and the hanging one would never end.
    // The kind of failure proves the timeout; an upper bound on the time would fail on a busy machine.
    @Test(arguments: ["hang", "drip=100ms", "slow=30s"])
    func `a call ends at its timeout, whatever the server does`(fault: String) async throws {
        let mockProvider = try MockProvider("--fault", fault)
        let start = ContinuousClock.now
        let result = await send(try single("1.1.1.1"), to: try mockProvider.provider(), timeout: .milliseconds(300))
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        #expect(result.failure?.kind == .timeout)
        #expect(result.failure?.message.contains("within 300 ms") == true)
    }

    @Test func `an endless body is abandoned at the bound`() async throws {
        let mockProvider = try MockProvider("--fault", "endlessBody")
        let failed = await send(try single("1.1.1.1"), to: try mockProvider.provider(), timeout: .seconds(300)).failure
        #expect(failed?.kind == .malformed)
    }

    @Test func `a connection that is never accepted ends with a timeout`() async throws {
        // While the listen backlog is full, the kernel drops connection requests.
        let listener = try Loopback(backlog: 0)
        let waiting = try Loopback(connectedTo: listener.port)
        let provider = try Provider(endpoint: "http://127.0.0.1:\(listener.port)", key: "s3cret")
        let failed = await send(try single("1.1.1.1"), to: provider, timeout: .milliseconds(300)).failure
        withExtendedLifetime(waiting) {}
        #expect(failed?.kind == .timeout)
        #expect(failed?.message == "cannot connect to \(provider.endpoint) within 300 ms")
    }

    @Test func `a cancelled call closes its connection and fails as offline`() async throws {
        let listener = try Loopback(backlog: 16)
        let (sent, isSent) = AsyncStream.makeStream(of: Void.self)
        let client = Client(
            provider: try Provider(endpoint: "http://127.0.0.1:\(listener.port)"), timeout: .seconds(300)
        ) {
            isSent.yield()
            return Clock.now
        }
        let call = try single("1.1.1.1")
        let sending = Task { await client.send(call) }
        let connection = try #require(listener.next())
        for await _ in sent { break }
        sending.cancel()
        #expect(await sending.value.failure?.kind == .offline)
        // Returns only after the client has closed the connection.
        #expect(connection.readToEnd().starts(with: "GET /json/1.1.1.1?fields=66846719&lang=en HTTP/1.1".utf8))
        await client.shutdown()
    }

    @Test func `a task that is already cancelled makes no call`() async throws {
        let mockProvider = try MockProvider()
        let (call, provider) = (try single("1.1.1.1"), try mockProvider.provider())
        let client = Client(provider: provider) { Clock.now }
        let sending = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.exchange(ProviderRequest(call, to: provider))
        }
        let failure = await #expect(throws: CallFailure.self) { try await sending.value }
        #expect(failure?.kind == .offline)
        await client.shutdown()
        #expect(try mockProvider.state().calls == 0)
    }

    @Test func `a shutdown ends calls in flight and prevents further ones`() async throws {
        let mockProvider = try MockProvider("--fault", "hang")
        let (sent, isSent) = AsyncStream.makeStream(of: Void.self)
        let client = Client(provider: try mockProvider.provider(), timeout: .seconds(300)) {
            isSent.yield()
            return Clock.now
        }
        async let hanging = client.send(try single("1.1.1.1"))
        for await _ in sent { break }
        await client.shutdown()
        #expect(try await hanging.failure != nil)
        #expect(await client.send(try single("1.1.1.1")).failure?.kind == .offline)
        await client.shutdown()
    }

    @Test func `the message for a refused connection contains the kernel's reason`() async throws {
        let port = try Loopback(backlog: 1).port
        let provider = try Provider(endpoint: "http://127.0.0.1:\(port)", key: "s3cret")
        let failed = await send(try single("1.1.1.1"), to: provider).failure
        #expect(failed?.kind == .unreachable)
        #expect(failed?.message == "cannot connect to \(provider.endpoint): Connection refused (errno 111)")
    }

    @Test func `the message for an unknown host contains its name`() async throws {
        // The name is reserved and never exists (RFC 6761 §6.4).
        let provider = try Provider(endpoint: "http://ip-api.invalid", key: "s3cret")
        let failed = try #require(await send(try single("1.1.1.1"), to: provider, timeout: .seconds(30)).failure)
        // Without a name server, the resolver may take longer than the call.
        #expect(failed.kind == .unreachable || failed.kind == .timeout)
        #expect(failed.message.contains("ip-api.invalid") && !failed.message.contains("s3cret"))
    }

    @Test func `the message for a server without TLS mentions TLS`() async throws {
        let mockProvider = try MockProvider()
        let provider = try Provider(endpoint: mockProvider.endpoint.replacing("http:", with: "https:"), key: "s3cret")
        let failed = await send(try single("1.1.1.1"), to: provider).failure
        #expect(failed?.kind == .unreachable)
        #expect(
            failed?.message.hasPrefix("the TLS connection to \(provider.endpoint) failed: ") == true,
            "\(failed?.message ?? "none")")
        #expect(failed?.message.contains("s3cret") == false)
    }
}
