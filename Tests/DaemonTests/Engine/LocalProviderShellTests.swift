import GeoDatabase
import MMDBSamples
import RecordKeeping
import TestSupport
import Testing

@testable import Daemon

/// Calls that are performed by reading local databases.
@Suite struct LocalProviderShellTests {
    private let folder: SampleFolder
    private let log = LoggedLines()
    private let databases: LocalDatabases
    private let known: IPAddress
    private let unknown: IPAddress

    init() throws {
        folder = try SampleFolder()
        databases = LocalDatabases(log: log.logger)
        (known, unknown) = (try IPAddress("192.0.2.1"), try IPAddress("198.51.100.1"))
    }

    private static func sample(_ code: String) throws -> [UInt8] {
        try MMDBSample(["192.0.2.0/24": ["country": ["iso_code": .string(code)]]]).bytes
    }

    private func use(_ path: String) -> LocalProvider {
        databases.use([path])
        databases.waitUntilLoaded()
        return LocalProvider(databases)
    }

    private func send(_ addresses: [IPAddress], to provider: LocalProvider) async -> Result<Reply, CallFailure> {
        let call = Call(id: Call.ID(number: 1), endpoint: .batch, addresses: addresses)
        return await withCheckedContinuation { continuation in
            provider.send(call) { continuation.resume(returning: $0) }
        }
    }

    @Test func `a reply has the version of the files, and an answer about each address`() async throws {
        let provider = use(try folder.put(Self.sample("DE")))
        let before = SystemClock.now.boot
        let reply = try await send([known, unknown], to: provider).get()
        #expect(reply.version == databases.snapshot.version && reply.version?.name == "GeoLite2-City")
        #expect(reply.sentAt.boot >= before && reply.sentAt.boot <= SystemClock.now.boot)
        guard case .answered(let answer) = reply.answers[known] else {
            Issue.record("\(reply)")
            return
        }
        #expect(answer.record?.countryCode == "DE")
        #expect(reply.answers[unknown] == .answered(.empty(reason: "not in the local databases")))
    }

    @Test func `a call fails if no file can be read`() async throws {
        let provider = use(folder.path("missing.mmdb"))
        #expect(provider.version == nil)
        let failure = await #expect(throws: CallFailure.self) { try await send([known], to: provider).get() }
        #expect(failure?.kind == .unreachable)
        #expect(failure?.message.contains(folder.path("missing.mmdb")) == true, "\(failure as Any)")
    }

    @Test func `new files are announced once, before calls read them`() async throws {
        let provider = use(try folder.put(Self.sample("DE")))
        let old = try #require(provider.version)
        try folder.put(Self.sample("FR"))
        try log.wait(for: 2)
        #expect(try await send([known], to: provider).get().version == old, "the files are not in use yet")
        var announced: [DataVersion?] = []
        for _ in 0..<2 { provider.use(databases.snapshot) { announced.append($0) } }
        #expect(announced == [databases.snapshot.version] && announced != [old])
        let reply = try await send([known], to: provider).get()
        #expect(reply.version == provider.version && reply.version != old)
        guard case .answered(let answer) = reply.answers[known] else {
            Issue.record("\(reply)")
            return
        }
        #expect(answer.record?.countryCode == "FR")
    }

    @Test func `an observer receives the files now and after each reload`() async throws {
        _ = use(try folder.put(Self.sample("DE")))
        let versions = AsyncStream<DataVersion?>.makeStream()
        databases.observe { versions.continuation.yield($0.version) }
        var iterator = versions.stream.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first == databases.snapshot.version)
        try folder.put(Self.sample("FR"))
        var next = await iterator.next()
        // A reload that finds nothing new may come first.
        while next == first { next = await iterator.next() }
        #expect(next == databases.snapshot.version)
    }
}
