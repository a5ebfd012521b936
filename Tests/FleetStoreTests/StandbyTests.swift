import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Testing

@testable import FleetStore

/// Synchronous standbys and promotions, each test with servers of its own.
@Suite(.timeLimit(.minutes(2)))
struct StandbyTests {
    /// Makes commits wait for a standby that does not exist.
    private static func requireStandby(_ fleet: TestFleet) async throws {
        try await set("none", fleet.observer)
        // The processes of the server notice the change one after another. The checkpointer decides whether commits
        // wait.
        let probe = fleet.connect()
        let session = try await probe.session()
        for attempt in 0... {
            let outcome = probe.begin(.script("SELECT pg_logical_emit_message(true, 'attempt \(attempt).', '')"))
            let state = SQLRequest.script(
                """
                SELECT wait_event = 'SyncRep', state = 'idle' AND query LIKE '%attempt \(attempt).%'
                FROM pg_stat_activity WHERE pid = \(session.processID)
                """)
            while true {
                try Task.checkCancellation()
                let row = try await fleet.observer.results(state).rows.first
                if row?[0] == .bool(true) {
                    try await fleet.observer.run("SELECT pg_cancel_backend(\(session.processID))")
                    return
                }
                if row?[1] == .bool(true) { break }
            }
            _ = await outcome.value
        }
    }

    private static func requireNoStandby(_ fleet: TestFleet) async throws {
        try await set("", fleet.observer)
    }

    private static func set(_ names: String, _ connection: TestConnection) async throws {
        try await connection.run("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
        try await connection.run("SELECT pg_reload_conf()")
    }

    @Test func `a commit that waits for the standby is neither terminated nor resolved`() async throws {
        let server = try TemporaryPostgreSQL()
        let fleet = try await TestFleet(server)
        let fence = try await fleet.leader("a")
        let takeover = try await fleet.takeover(by: fleet.register("b"))
        let (old, new) = (fleet.connect(), fleet.connect())
        let (session, resolving) = try await (old.session(), new.session())
        let row = try await fleet.next(fence)
        try await Self.requireStandby(fleet)
        let commit = old.begin(try .append(row, behind: fence, in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "SyncRep")
        let resolve = try FleetOperation.resolve(row.cursor, in: fleet.key)
        #expect(await new.perform(try .takeOver(takeover, in: fleet.key)).failure == .query(.lockTimeout))
        #expect(
            await new.perform(try .terminateBlockers(in: fleet.key))
                == .success(TerminatedBlockers(count: 0, refused: 0)))
        #expect(await new.perform(resolve).failure == .query(.lockTimeout))
        #expect(try await fleet.poll().rows == [])
        // An administrator cancels the wait. Without a standby, a resolution does not end either.
        try await fleet.observer.run("SELECT pg_cancel_backend(\(session.processID))")
        guard case .query(.outcomeUnknown(let reason)) = await commit.value.failure else {
            Issue.record("\(await commit.value)")
            return
        }
        #expect(reason.hasPrefix("the commit may not be on the standby"))
        let outcome = new.begin(resolve)
        try await fleet.wait(until: resolving, waitsFor: "SyncRep")
        try await Self.requireNoStandby(fleet)
        #expect(await outcome.value == .success(true))
        #expect(await new.perform(try .takeOver(takeover, in: fleet.key)) == .success(true))
        #expect(try await fleet.poll().rows == [row])
        server.stop()
    }

    @Test func `every resolution and withdrawal waits for the standby`() async throws {
        let server = try TemporaryPostgreSQL()
        let fleet = try await TestFleet(server)
        let fence = try await fleet.leader()
        try await fleet.append(1, fence)
        let last = try await fleet.poll().last
        let withdrawn = UniqueID.random()
        // The second ones find everything as they would leave it.
        let resolve = try FleetOperation.resolve(last, in: fleet.key)
        let withdraw = try FleetOperation.withdraw([withdrawn], in: fleet.key)
        #expect(await fleet.observer.perform(withdraw) == .success([withdrawn]))
        let connections = [fleet.connect(), fleet.connect()]
        let sessions = try await [connections[0].session(), connections[1].session()]
        try await Self.requireStandby(fleet)
        let resolution = connections[0].begin(resolve)
        try await fleet.wait(until: sessions[0], waitsFor: "SyncRep")
        let withdrawal = connections[1].begin(withdraw)
        // The first transaction has locked the row until its end.
        try await fleet.wait(until: sessions[1], waitsFor: "Lock")
        try await Self.requireNoStandby(fleet)
        #expect(await resolution.value == .success(true))
        #expect(await withdrawal.value == .success([withdrawn]))
        try await Self.requireStandby(fleet)
        let again = connections[1].begin(withdraw)
        try await fleet.wait(until: sessions[1], waitsFor: "SyncRep")
        try await Self.requireNoStandby(fleet)
        #expect(await again.value == .success([withdrawn]))
        server.stop()
    }

    @Test func `a promoted standby is another server, and a new incarnation continues on it`() async throws {
        let primary = try TemporaryPostgreSQL()
        let standby = try TemporaryPostgreSQL(of: primary)
        let fleet = try await TestFleet(primary)
        let fence = try await fleet.leader()
        try await fleet.append(2, fence)
        let before = try await fleet.poll()
        let position = try await fleet.observer.results(.script("SELECT pg_current_wal_lsn()::text")).rows[0][0]
        let hasAll = SQLRequest.script(
            "SELECT 1 FROM pg_stat_replication WHERE flush_lsn >= \(try position.literal())::pg_lsn")
        while try await fleet.observer.results(hasAll).rows.isEmpty { try Task.checkCancellation() }
        #expect(before.server == before.fleet.server)
        primary.stop()
        try standby.promote()
        var promoted = TestConnection(standby.socketURL)
        // While it is a standby, connections to it are refused.
        while await promoted.nextEvent()?.session == nil {
            try Task.checkCancellation()
            promoted = TestConnection(standby.socketURL)
        }
        let poll = try await promoted.perform(
            .poll(after: .start, limit: 9, withProposals: false, in: fleet.key)
        ).get()
        #expect(poll.rows == before.rows && poll.fleet == before.fleet)
        #expect(poll.server.system == before.server.system)
        #expect(poll.server.timeline == before.server.timeline + 1)
        let row = JournalRow.following(poll.last, fence)
        #expect(await promoted.perform(try .append(row, behind: fence, in: fleet.key)).failure == .query(.otherServer))
        let next = Incarnation(number: fence.incarnation.number + 1, id: .random())
        let raise = try FleetOperation.raiseIncarnation(
            from: fence.incarnation, server: before.server, newServer: poll.server, to: next, in: fleet.key)
        #expect(await promoted.perform(raise) == .success(true))
        let takeover = Takeover(
            term: fence.term + 1, beat: poll.fleet.beat + 1, incarnation: next, newLeader: fence.leader)
        #expect(await promoted.perform(try .takeOver(takeover, in: fleet.key)) == .success(true))
        let newFence = Fence(term: fence.term + 2, leader: fence.leader, incarnation: next)
        #expect(await promoted.perform(try .append(row, behind: newFence, in: fleet.key)).failure == nil)
        standby.stop()
    }
}
