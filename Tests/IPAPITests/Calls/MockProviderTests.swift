import Foundation
import IPAPI
import RecordKeeping
import TestSupport
import Testing

/// The mock provider as a program.
@Suite(.serialized, .timeLimit(.minutes(20))) struct MockProviderTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends the program with status 0, even while a call hangs`(signal: Int32) async throws {
        let mockProvider = try MockProvider("--fault", "hang")
        let connection = try Loopback(connectedTo: try mockProvider.provider().url.effectivePort)
        connection.send(Array("GET /json/1.1.1.1 HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        while try mockProvider.state().calls == 0 {}
        mockProvider.process.signal(signal)
        #expect(mockProvider.process.awaitEnd() == .exit(0))
    }

    @Test(arguments: [
        ["--bind", "nonsense"], ["--bind", "::1:0"], ["--fault", "hong"], ["--fault", "hang:0"],
        ["--single-quota", "-1"],
        ["--window", "0"], ["--ban-after", "0"],
    ])
    func `invalid options end the program before it listens`(options: [String]) throws {
        #expect(throws: MockProvider.NotStarted.self) { try MockProvider(options[0], options[1]) }
    }

    @Test func `faults can be injected and cleared at run time`() async throws {
        let mockProvider = try MockProvider("--fault", "status5xx=502:1")
        #expect(try mockProvider.state().faults.map(\.name) == ["status5xx=502"])
        let call = try single("1.1.1.1")
        #expect(await send(call, to: try mockProvider.provider()).failure?.kind == .rejected)
        try mockProvider.inject("slow=5ms", count: 3)
        try mockProvider.inject("html")
        #expect(try mockProvider.state().faults.map(\.callsLeft) == [3, nil])
        #expect(await send(call, to: try mockProvider.provider()).failure?.kind == .malformed)
        try mockProvider.administer("DELETE", "fault")
        #expect(await send(call, to: try mockProvider.provider()).failure == nil)
    }

    @Test func `a record can be changed on demand, for one address or for all`() async throws {
        let mockProvider = try MockProvider()
        let call = try batch("1.1.1.1", "8.8.8.8")
        var cities: [[String?]] = []
        for change in ["", "?address=1.1.1.1", ""] {
            let reply = try await send(call, to: mockProvider.provider()).get()
            cities.append(call.addresses.map { reply.answers[$0]?.record?.city })
            try mockProvider.administer("POST", "change\(cities.count == 1 ? "?address=1.1.1.1" : change)")
        }
        #expect(cities[0][0] != cities[1][0] && cities[0][1] == cities[1][1])
        try mockProvider.administer("POST", "change")
        let reply = try await send(call, to: mockProvider.provider()).get()
        #expect(
            call.addresses.allSatisfy { reply.answers[$0]?.record?.city != cities[2][call.addresses[0] == $0 ? 0 : 1] })
    }

    @Test func `the log of calls can be read and cleared`() async throws {
        let mockProvider = try MockProvider("--batch-quota", "none")
        let before = Clock.now.wall.milliseconds
        _ = await send(try single("1.1.1.1"), to: try mockProvider.provider())
        _ = await send(try batch("8.8.8.8"), to: try mockProvider.provider())
        let calls = try mockProvider.calls()
        #expect(calls.map(\.endpoint) == ["single", "batch"])
        #expect(calls.map(\.status) == [200, 200])
        #expect(calls.map(\.remaining) == [44, nil])
        #expect(calls.allSatisfy { (before...Clock.now.wall.milliseconds).contains($0.at) })
        try mockProvider.administer("DELETE", "calls")
        #expect(try mockProvider.calls().isEmpty)
        let state = try mockProvider.state()
        #expect(state.calls == 2 && state.batch == nil && state.single?.remaining == 44 && state.single?.limit == 45)
    }

    @Test(arguments: ["fault", "fault?name=hong", "fault?name=hang&count=x", "change?address=nonsense", "nothing"])
    func `an invalid administrative request is answered with an error`(target: String) throws {
        #expect(try MockProvider().administer("POST", target).hasPrefix(#"{"error":""#))
    }
}
