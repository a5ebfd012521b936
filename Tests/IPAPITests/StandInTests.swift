import Foundation
import IPAPI
import RecordKeeping
import Testing

/// The mock provider as a program.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StandInTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends the program with status 0, even while a call hangs`(signal: Int32) async throws {
        let standIn = try StandIn("--fault", "hang")
        let connection = try Loopback(connectedTo: try standIn.provider().effectivePort)
        connection.send(Array("GET /json/1.1.1.1 HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        while try standIn.state().calls == 0 {}
        kill(standIn.process.processIdentifier, signal)
        standIn.process.waitUntilExit()
        #expect(standIn.process.terminationReason == .exit && standIn.process.terminationStatus == 0)
    }

    @Test(arguments: [
        ["--bind", "nonsense"], ["--bind", "::1:0"], ["--fault", "hong"], ["--fault", "hang:0"],
        ["--single-quota", "-1"],
        ["--window", "0"], ["--ban-after", "0"],
    ])
    func `invalid options end the program before it listens`(options: [String]) throws {
        #expect(throws: StandIn.NotStarted.self) { try StandIn(options[0], options[1]) }
    }

    @Test func `faults can be injected and cleared at run time`() async throws {
        let standIn = try StandIn("--fault", "status5xx=502:1")
        #expect(try standIn.state().faults.map(\.name) == ["status5xx=502"])
        let call = try single("1.1.1.1")
        #expect(await send(call, to: try standIn.provider()).failure?.kind == .rejected)
        try standIn.inject("slow=5ms", count: 3)
        try standIn.inject("html")
        #expect(try standIn.state().faults.map(\.callsLeft) == [3, nil])
        #expect(await send(call, to: try standIn.provider()).failure?.kind == .malformed)
        try standIn.administer("DELETE", "fault")
        #expect(await send(call, to: try standIn.provider()).failure == nil)
    }

    @Test func `a record can be changed on demand, for one address or for all`() async throws {
        let standIn = try StandIn()
        let call = try batch("1.1.1.1", "8.8.8.8")
        var cities: [[String?]] = []
        for change in ["", "?address=1.1.1.1", ""] {
            let reply = try await send(call, to: standIn.provider()).get()
            cities.append(call.addresses.map { reply.answers[$0]?.record?.city })
            try standIn.administer("POST", "change\(cities.count == 1 ? "?address=1.1.1.1" : change)")
        }
        #expect(cities[0][0] != cities[1][0] && cities[0][1] == cities[1][1])
        try standIn.administer("POST", "change")
        let reply = try await send(call, to: standIn.provider()).get()
        #expect(
            call.addresses.allSatisfy { reply.answers[$0]?.record?.city != cities[2][call.addresses[0] == $0 ? 0 : 1] })
    }

    @Test func `the log of calls can be read and cleared`() async throws {
        let standIn = try StandIn("--batch-quota", "none")
        let before = Clock.now.wall.milliseconds
        _ = await send(try single("1.1.1.1"), to: try standIn.provider())
        _ = await send(try batch("8.8.8.8"), to: try standIn.provider())
        let calls = try standIn.calls()
        #expect(calls.map(\.endpoint) == ["single", "batch"])
        #expect(calls.map(\.status) == [200, 200])
        #expect(calls.map(\.remaining) == [44, nil])
        #expect(calls.allSatisfy { (before...Clock.now.wall.milliseconds).contains($0.at) })
        try standIn.administer("DELETE", "calls")
        #expect(try standIn.calls().isEmpty)
        let state = try standIn.state()
        #expect(state.calls == 2 && state.batch == nil && state.single?.remaining == 44 && state.single?.limit == 45)
    }

    @Test(arguments: ["fault", "fault?name=hong", "fault?name=hang&count=x", "change?address=nonsense", "nothing"])
    func `an invalid administrative request is answered with an error`(target: String) throws {
        #expect(try StandIn().administer("POST", target).hasPrefix(#"{"error":""#))
    }
}
