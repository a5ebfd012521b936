import IPAPI
import RecordKeeping
import Testing

/// The client with the mock provider, over HTTP.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ClientTests {
    @Test func `a single call returns a record and the quota`() async throws {
        let mockProvider = try MockProvider()
        let reply = try await send(try single("1.1.1.1"), to: mockProvider.provider()).get()
        let record = try #require(reply.answers[try IPAddress("1.1.1.1")]?.record)
        #expect(record.org == "ip-api-stand-in (made-up record)")
        #expect(record.reverse != nil && record.hosting != nil && record.offset != nil && record.asn != nil)
        #expect(reply.quota == ReportedQuota(remaining: 44, resetsIn: .seconds(60)))
    }

    @Test func `a batch call returns an answer for each address`() async throws {
        let mockProvider = try MockProvider()
        let call = try batch("1.1.1.1", "2606:4700::1111", "10.0.0.1")
        let reply = try await send(call, to: mockProvider.provider()).get()
        #expect(reply.answers.count == 3)
        #expect(reply.answers[call.addresses[1]]?.record?.city != nil)
        #expect(reply.answers[call.addresses[2]]?.emptyReason == "private range")
        #expect(reply.quota.remaining == 14)
        #expect(try mockProvider.calls().map(\.addresses) == [["1.1.1.1", "2606:4700::1111", "10.0.0.1"]])
    }

    @Test func `the client connects over IPv6`() async throws {
        let mockProvider = try MockProvider(bind: "[::1]:0")
        #expect(mockProvider.endpoint.hasPrefix("http://[::1]:"))
        #expect(await send(try single("1.1.1.1"), to: try mockProvider.provider()).failure == nil)
    }

    @Test func `the time is read once per call, between its start and its reply`() async throws {
        let mockProvider = try MockProvider("--fault", "slow=200ms")
        let clock = Clock()
        let client = Client(provider: try mockProvider.provider(), timeout: .seconds(300)) { clock.now() }
        let before = Clock.now
        let reply = try await client.send(try single("1.1.1.1")).get()
        let after = Clock.now
        await client.shutdown()
        #expect(clock.readCount == 1)
        #expect(reply.sentAt.boot >= before.boot)
        #expect(after.boot - reply.sentAt.boot >= .milliseconds(200))
        // The provider cannot receive the request before it is sent. Its log is in whole milliseconds.
        #expect(try mockProvider.calls()[0].at + 1 >= reply.sentAt.wall.milliseconds)
    }

    @Test func `successive calls share one connection`() async throws {
        var duration = Duration.zero
        repeat {
            let mockProvider = try MockProvider()
            let client = Client(provider: try mockProvider.provider(), timeout: .seconds(300)) { Clock.now }
            let start = Clock.now.boot
            for _ in 0..<5 {
                #expect(await client.send(try single("1.1.1.1")).failure == nil)
                #expect(await client.send(try batch("1.1.1.1", "8.8.8.8")).failure == nil)
            }
            duration = Clock.now.boot - start
            await client.shutdown()
            let state = try mockProvider.state()
            #expect(state.calls == 10)
            // On a busy machine, the calls may be so far apart that an idle connection is closed between them.
            #expect(state.connections == 1 || duration >= Client.maxIdleTime)
        } while duration >= Client.maxIdleTime
    }

    @Test func `concurrent calls do not wait for each other`() async throws {
        let mockProvider = try MockProvider("--fault", "hang:1")
        let client = Client(provider: try mockProvider.provider(), timeout: .seconds(300)) { Clock.now }
        let (sent, isSent) = AsyncStream.makeStream(of: Void.self)
        let hanging = Client(provider: try mockProvider.provider(), timeout: .seconds(300)) {
            isSent.yield()
            return Clock.now
        }
        async let first = hanging.send(try single("1.1.1.1"))
        for await _ in sent { break }
        while try mockProvider.state().calls == 0 {}
        #expect(await client.send(try single("8.8.8.8")).failure == nil)
        await hanging.shutdown()
        #expect(try await first.failure != nil)
        await client.shutdown()
    }

    @Test(arguments: [
        ("status429", Failure.Kind.throttled, "429"), ("status5xx=502", .rejected, "502: <!DOCTYPE html>"),
        ("forbidden", .unauthorized, "SSL unavailable"), ("redirect", .rejected, "http://portal.example/login"),
        ("html", .malformed, "captive portal"), ("notJSON", .malformed, "not JSON"),
        ("emptyBody", .malformed, "empty body"),
        ("reset", .unreachable, "reset"), ("truncated", .malformed, "before the reply was complete"),
        ("endlessBody", .malformed, "longer than"),
        ("hang", .timeout, "within 500 ms"), ("drip=50ms", .timeout, "within 500 ms"),
        ("slow=5s", .timeout, "within 500 ms"),
    ])
    func `each fault leads to its kind of failure`(fault: String, kind: Failure.Kind, words: String) async throws {
        let mockProvider = try MockProvider("--fault", fault)
        for call in [try single("1.1.1.1"), try batch("1.1.1.1", "8.8.8.8")] {
            let isSlow = kind == .timeout
            let failed = await send(
                call, to: try mockProvider.provider(), timeout: isSlow ? .milliseconds(500) : .seconds(300)
            )
            .failure
            #expect(failed?.kind == kind, "\(failed?.message ?? "no failure")")
            #expect(failed?.message.contains(words) == true, "\(failed?.message ?? "no failure")")
        }
        #expect(try mockProvider.state().calls == 2)
    }

    @Test(arguments: ["wrongOrder", "extraElement", "duplicateElement", "numbersAsStrings", "slow=50ms", "drip=1ms"])
    func `unusual but valid replies contain the same records`(fault: String) async throws {
        let mockProvider = try MockProvider()
        let call = try batch("1.1.1.1", "8.8.8.8", "9.9.9.9")
        let plain = try await send(call, to: try mockProvider.provider()).get()
        try mockProvider.inject(fault)
        #expect(try await send(call, to: try mockProvider.provider()).get().answers == plain.answers)
    }

    @Test func `a missing element has no answer, and null fields are nil`() async throws {
        let mockProvider = try MockProvider("--fault", "missingElement:1")
        let call = try batch("1.1.1.1", "8.8.8.8")
        let reply = try await send(call, to: mockProvider.provider()).get()
        #expect(Array(reply.answers.keys) == [call.addresses[1]])
        try mockProvider.inject("nullFields")
        let nulls = try await send(call, to: mockProvider.provider()).get()
        #expect(nulls.answers.values.allSatisfy { $0.record == Record() } && nulls.answers.count == 2)
    }

    @Test func `a throttled call reports when the window ends`() async throws {
        let mockProvider = try MockProvider("--single-quota", "1")
        let client = Client(provider: try mockProvider.provider(), timeout: .seconds(300)) { Clock.now }
        _ = await client.send(try single("1.1.1.1"))
        let failed = await client.send(try single("1.1.1.1")).failure
        await client.shutdown()
        #expect(failed?.kind == .throttled)
        #expect(failed?.quota?.remaining == 0)
        #expect(try #require(failed?.quota?.resetsIn) > .zero)
    }

    @Test func `the key is sent, and the failure for a wrong one does not contain it`() async throws {
        let mockProvider = try MockProvider("--key", "s3cret+")
        #expect(await send(try single("1.1.1.1"), to: try mockProvider.provider(key: "s3cret+")).failure == nil)
        let failed = await send(try single("1.1.1.1"), to: try mockProvider.provider(key: "wr0ng")).failure
        #expect(failed?.kind == .unauthorized)
        #expect(failed?.message.contains("wr0ng") == false)
    }
}
