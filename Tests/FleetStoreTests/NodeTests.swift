import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Testing

@testable import FleetStore

/// The rows of the nodes.
@Suite(.server, .timeLimit(.minutes(2)))
struct NodeTests {
    private static func row(_ machine: String, epoch: Int64) -> NodeRow {
        NodeRow(id: NodeID("a"), name: "it's a", epoch: epoch, machine: machine, version: "1.0", encoding: 2)
    }

    @Test func `a row is inserted once`() async throws {
        let fleet = try await TestFleet()
        let row = Self.row("m", epoch: 1)
        #expect(try await fleet.observer.perform(.readNode(row.id, in: fleet.key)).get() == nil)
        let (first, second) = (fleet.connect(), fleet.connect())
        let session = try await second.session()
        try await first.open(.register(row, replacing: nil, in: fleet.key))
        let outcome = second.begin(try .register(Self.row("n", epoch: 1), replacing: nil, in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await first.run("COMMIT")
        #expect(await outcome.value == .success(false))
        var read = try #require(try await fleet.observer.perform(.readNode(row.id, in: fleet.key)).get())
        #expect(read.beatAt.milliseconds > 1_700_000_000_000)
        read.beatAt = row.beatAt
        #expect(read == row)
    }

    @Test func `a copy of a live node on another machine is refused`() async throws {
        let fleet = try await TestFleet()
        let run = try await fleet.register("a", machine: "m")
        let seen = try #require(try await fleet.observer.perform(.readNode(run.node, in: fleet.key)).get())
        let beat = try FleetOperation.beat(NodeBeat(run: run, hasRoute: true, applied: 4), nil, in: fleet.key)
        #expect(try await fleet.observer.perform(beat).get().isRegistered)
        let copy = Self.row("n", epoch: run.epoch + 1)
        #expect(
            await fleet.observer.perform(try .register(copy, replacing: seen.mark, in: fleet.key)) == .success(false))
        // After its silence, the copy may replace the row, and the old run notices.
        let silent = try #require(try await fleet.observer.perform(.readNode(run.node, in: fleet.key)).get())
        #expect(silent.machine == "m" && silent.applied == 4 && silent.beat == seen.beat + 1)
        #expect(
            await fleet.observer.perform(try .register(copy, replacing: silent.mark, in: fleet.key)) == .success(true))
        let lost = try await fleet.observer.perform(beat).get()
        #expect(!lost.isRegistered && lost.nodes.map(\.machine) == ["n"] && lost.nodes[0].beat == silent.beat + 1)
    }

    @Test func `a node that has left keeps its row, until it registers again`() async throws {
        let fleet = try await TestFleet()
        let run = try await fleet.register("a")
        #expect(await fleet.observer.perform(try .leave(run, in: fleet.key)) == .success(true))
        #expect(try await fleet.observer.perform(.readNode(run.node, in: fleet.key)).get()?.hasLeft == true)
        let next = try await fleet.register("a")
        #expect(try await fleet.observer.perform(.readNode(run.node, in: fleet.key)).get()?.hasLeft == false)
        #expect(await fleet.observer.perform(try .leave(run, in: fleet.key)) == .success(false))
        #expect(next.epoch == run.epoch + 1)
    }

    @Test func `a hint reaches the listeners of the fleet`() async throws {
        let (fleet, other) = (try await TestFleet(), try await TestFleet())
        let listener = fleet.connect()
        _ = try await listener.session()
        try await listener.perform(.listen(in: fleet.key)).get()
        try await fleet.observer.perform(.notify(in: other.key)).get()
        try await fleet.observer.perform(.notify(in: fleet.key)).get()
        #expect(await listener.nextEvent()?.notification?.channel == fleet.key.channel)
    }

    @Test func `settings are changed only by a node that has read them`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        #expect(await fleet.observer.perform(try .settings(of: fleet.key)) == .success("{}"))
        let (first, second) = (fleet.connect(), fleet.connect())
        let session = try await second.session()
        try await first.open(.changeSettings(from: "{}", to: #"{"a": "it's"}"#, in: fleet.key))
        let outcome = second.begin(try .changeSettings(from: "{}", to: "[]", in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "Lock")
        // A change does not delay commits.
        try await fleet.append(1, fence)
        try await first.run("COMMIT")
        #expect(await outcome.value == .success(false))
        #expect(await fleet.observer.perform(try .settings(of: fleet.key)) == .success(#"{"a": "it's"}"#))
    }
}
