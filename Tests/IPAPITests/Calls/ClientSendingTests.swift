import IPAPI
import RecordKeeping
import Testing

/// `Client.send(_:done:)`: whatever happens to a call, `done` is called exactly once.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ClientSendingTests {
    /// A client whose calls would wait for five minutes.
    private func client(for endpoint: String) throws -> Client {
        Client(provider: try Provider(endpoint: endpoint), timeout: .seconds(300)) { Clock.now }
    }

    /// Sends a call, waits until `done` is called, and then shuts the client down.
    ///
    /// - Parameters:
    ///   - afterSending: called when `send` has returned.
    ///   - afterEnd: called when `done` has been called.
    /// - Returns: the results that `done` received until the end of the shutdown, which ends every call.
    private func results(
        of call: Call, sentBy client: Client,
        afterSending: (Client.SentCall) -> Void = { _ in },
        afterEnd: (Client.SentCall) async throws -> Void = { _ in }
    ) async throws -> [Result<Reply, CallFailure>] {
        let (stream, continuation) = AsyncStream.makeStream(of: Result<Reply, CallFailure>.self)
        let sent = client.send(call) { continuation.yield($0) }
        afterSending(sent)
        var (results, next) = ([Result<Reply, CallFailure>](), stream.makeAsyncIterator())
        if let first = await next.next() { results.append(first) }
        try await afterEnd(sent)
        await client.shutdown()
        continuation.finish()
        while let further = await next.next() { results.append(further) }
        return results
    }

    // MARK: Without cancellation

    @Test func `a call that succeeds ends once`() async throws {
        let mockProvider = try MockProvider()
        let results = try await results(of: try single("1.1.1.1"), sentBy: try client(for: mockProvider.endpoint))
        #expect(results.count == 1)
        #expect(try results[0].get().answers.count == 1)
    }

    @Test func `a call of a client that is shut down fails once, and can be cancelled`() async throws {
        let mockProvider = try MockProvider()
        let client = try client(for: mockProvider.endpoint)
        await client.shutdown()
        let results = try await results(of: try single("1.1.1.1"), sentBy: client) {
            $0.cancel()
        } afterEnd: {
            $0.cancel()
        }
        #expect(results.map(\.failure?.kind) == [.offline])
        #expect(try mockProvider.state().calls == 0)
    }

    @Test func `a call whose connection is refused fails once, and can be cancelled afterwards`() async throws {
        // The port is free again.
        let port = try Loopback(backlog: 1).port
        let client = try client(for: "http://127.0.0.1:\(port)")
        let results = try await results(of: try single("1.1.1.1"), sentBy: client) { _ in
        } afterEnd: {
            $0.cancel()
        }
        #expect(results.map(\.failure?.kind) == [.unreachable])
    }

    @Test func `a call that reaches its timeout fails once, and can be cancelled afterwards`() async throws {
        let mockProvider = try MockProvider("--fault", "hang")
        let client = Client(provider: try mockProvider.provider(), timeout: .milliseconds(200)) { Clock.now }
        let results = try await results(of: try single("1.1.1.1"), sentBy: client) { _ in
        } afterEnd: {
            $0.cancel()
        }
        #expect(results.map(\.failure?.kind) == [.timeout])
    }

    @Test(arguments: ["reset", "truncated", "notJSON", "status5xx=500"])
    func `a call with a faulty response fails once`(fault: String) async throws {
        let mockProvider = try MockProvider("--fault", fault)
        let results = try await results(of: try single("1.1.1.1"), sentBy: try client(for: mockProvider.endpoint))
        #expect(results.count == 1 && results[0].failure != nil)
    }

    // MARK: With cancellation

    @Test(arguments: 1...3) func `a call that is cancelled at once fails once`(cancellations: Int) async throws {
        // No response ever comes.
        let listener = try Loopback(backlog: 16)
        let client = try client(for: "http://127.0.0.1:\(listener.port)")
        let results = try await results(of: try single("1.1.1.1"), sentBy: client) { sent in
            for _ in 0..<cancellations { sent.cancel() }
        }
        #expect(results.map(\.failure?.kind) == [.offline])
    }

    @Test func `calls that are cancelled at once do not affect other calls`() async throws {
        let mockProvider = try MockProvider()
        let client = try client(for: mockProvider.endpoint)
        let (stream, continuation) = AsyncStream.makeStream(of: Result<Reply, CallFailure>.self)
        let call = try single("1.1.1.1")
        let cancelled = (0..<50).map { _ in client.send(call) { continuation.yield($0) } }
        for sent in cancelled { sent.cancel() }
        #expect(await client.send(try single("8.8.8.8")).failure == nil)
        await client.shutdown()
        continuation.finish()
        let results = await stream.reduce(into: [Result<Reply, CallFailure>]()) { $0.append($1) }
        #expect(results.count == 50)
        // The response may have been faster than the cancellation.
        #expect(results.allSatisfy { $0.failure == nil || $0.failure?.kind == .offline })
    }

    @Test func `a cancellation after the end changes nothing, even if another call uses the connection`() async throws {
        let mockProvider = try MockProvider()
        let client = try client(for: mockProvider.endpoint)
        let results = try await results(of: try single("1.1.1.1"), sentBy: client) { _ in
        } afterEnd: { ended in
            ended.cancel()
            let (stream, continuation) = AsyncStream.makeStream(of: Result<Reply, CallFailure>.self)
            let second = client.send(try batch("1.1.1.1", "8.8.8.8")) { continuation.yield($0) }
            ended.cancel()
            #expect(await stream.first { _ in true }?.failure == nil)
            second.cancel()
        }
        #expect(results.count == 1 && results[0].failure == nil)
        #expect(try mockProvider.calls().map(\.endpoint) == ["single", "batch"])
    }
}
