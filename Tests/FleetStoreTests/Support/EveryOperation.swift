import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Testing

@testable import FleetStore

/// A sequence that performs every operation of a node once.
struct EveryOperation {
    private let connection: TestConnection
    private let key: FleetKey
    private let run: NodeRun

    init(_ connection: TestConnection, _ key: FleetKey) async throws {
        (self.connection, self.key) = (connection, key)
        let id = NodeID("node \(UInt32.random(in: 0 ... .max))")
        let row = NodeRow(id: id, name: "n", epoch: 1, machine: "m", version: "1", encoding: 1)
        #expect(try await connection.perform(.readNode(id, in: key)).get() == nil)
        try #require(try await connection.perform(.register(row, replacing: nil, in: key)).get())
        run = row.run
    }

    func lead() async throws -> Fence {
        let row = try await poll().fleet
        let takeover = Takeover(term: row.term, beat: row.beat, incarnation: row.incarnation, newLeader: run)
        try #require(try await connection.perform(.takeOver(takeover, in: key)).get())
        return Fence(term: row.term + 1, leader: run, incarnation: row.incarnation)
    }

    private func poll() async throws -> PollReply {
        try await connection.perform(.poll(after: .start, limit: 9, withProposals: true, in: key)).get()
    }

    func perform() async throws {
        var fence = try await lead()
        let lease = LeaseBeat(fence: fence, clock: BootTime(nanoseconds: 1), knownBeat: 1, hasSucceeded: true)
        let beat = NodeBeat(run: run, hasRoute: true, applied: 0)
        #expect(try await connection.perform(.beat(beat, lease, in: key)).get().isLeaseHeld)
        let proposal = Proposal(id: .random(), node: run.node, user: 1, body: [1])
        #expect(try await connection.perform(.propose([proposal], incarnation: fence.incarnation, in: key)).get())
        #expect(try await poll().proposals == [proposal])
        let outcome = ProposalOutcome(id: proposal.id, reply: [2])
        let first = JournalRow.following(try await poll().last, fence, outcomes: [outcome])
        try await connection.perform(.append(first, behind: fence, in: key)).get()
        #expect(try await connection.perform(.resolve(first.cursor, in: key)).get())
        let lost = JournalCursor(seq: first.seq + 1, id: .random())
        #expect(try await !connection.perform(.resolve(lost, in: key)).get())
        let withdrawn = UniqueID.random()
        #expect(try await connection.perform(.withdraw([withdrawn, proposal.id], in: key)).get() == [withdrawn])
        let second = JournalRow.following(first.cursor, fence)
        let instant = Instant(boot: BootTime(nanoseconds: 1), wall: WallTime(milliseconds: 2))
        let writes: [Commit.Write] = [
            .cohort(CohortID(number: 1), at: instant, provider: "p"),
            .outage(Outage(number: 1, since: instant.wall, cause: .provider, message: "m", deferred: 1)),
            .removeCohort(CohortID(number: 1)),
        ]
        try await connection.perform(.append(second, writes, behind: fence, in: key)).get()
        _ = try await connection.perform(.openSnapshot(outcomesOf: [], recent: 1, in: key)).get()
        for table in StateTable.allCases {
            _ = try await connection.perform(.page(of: table, after: nil, limit: 1, in: key)).get()
        }
        try await connection.perform(.closeSnapshot()).get()
        _ = try await connection.perform(
            .sweep(Sweep(journal: first.cursor, outcomes: 0, history: 0, limit: 5), behind: fence, in: key)
        ).get()
        #expect(try await connection.perform(.handOver(fence, to: run, hasFailed: true, in: key)).get())
        fence = Fence(term: fence.term + 1, leader: run, incarnation: fence.incarnation)
        #expect(await connection.perform(try .terminateBlockers(in: key)) == .success(.init(count: 0, refused: 0)))
        let server = try await poll().server
        let next = Incarnation(number: fence.incarnation.number + 1, id: .random())
        let raise = try FleetOperation.raiseIncarnation(
            from: fence.incarnation, server: server, newServer: server, to: next, in: key)
        #expect(try await connection.perform(raise).get())
        let settings = try await connection.perform(.settings(of: key)).get()
        #expect(try await connection.perform(.changeSettings(from: settings, to: "{}", in: key)).get())
        try await connection.perform(.notify(in: key)).get()
        #expect(try await connection.perform(.leave(run, in: key)).get())
    }
}
