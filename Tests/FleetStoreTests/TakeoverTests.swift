import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Testing

@testable import FleetStore

/// The lease, with two or three connections at once.
@Suite(.server, .timeLimit(.minutes(2)))
struct TakeoverTests {
    @Test func `a takeover waits for an open transaction, after which the old leader has lost the lease`() async throws
    {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader("a")
        let takeover = try await fleet.takeover(by: fleet.register("b"))
        let (old, new) = (fleet.connect(), fleet.connect())
        let session = try await new.session()
        let row = try await fleet.next(fence)
        try await old.open(.append(row, behind: fence, in: fleet.key))
        let outcome = new.begin(try .takeOver(takeover, in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await old.run("COMMIT")
        #expect(await outcome.value == .success(true))
        let poll = try await fleet.poll()
        #expect(poll.last == row.cursor)
        #expect(poll.fleet.leader == takeover.newLeader && poll.fleet.term == fence.term + 1)
        let next = JournalRow.following(row.cursor, fence)
        #expect(await old.perform(try .append(next, behind: fence, in: fleet.key)).failure == .query(.leaseLost))
        #expect(try await fleet.poll().last == row.cursor)
    }

    @Test func `a transaction that waits for a takeover has lost the lease`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader("a")
        let takeover = try await fleet.takeover(by: fleet.register("b"))
        let (old, new) = (fleet.connect(), fleet.connect())
        let session = try await old.session()
        try await new.open(.takeOver(takeover, in: fleet.key))
        let outcome = old.begin(try .append(await fleet.next(fence), behind: fence, in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await new.run("COMMIT")
        #expect(await outcome.value.failure == .query(.leaseLost))
    }

    @Test func `of two takeovers, one succeeds`() async throws {
        let fleet = try await TestFleet()
        _ = try await fleet.leader("a")
        let (b, c) = try await (fleet.takeover(by: fleet.register("b")), fleet.takeover(by: fleet.register("c")))
        let (first, second) = (fleet.connect(), fleet.connect())
        let session = try await second.session()
        try await first.open(.takeOver(b, in: fleet.key))
        let outcome = second.begin(try .takeOver(c, in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await first.run("COMMIT")
        #expect(await outcome.value == .success(false))
        #expect(try await fleet.row().leader == b.newLeader)
    }

    @Test func `a heartbeat prevents a takeover of the row before it, and needs the lease`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader("a")
        let takeover = try await fleet.takeover(by: fleet.register("b"))
        let node = NodeBeat(run: fence.leader, hasRoute: false, applied: 7)
        let lease = LeaseBeat(fence: fence, clock: BootTime(nanoseconds: 9), knownBeat: 3, hasSucceeded: true)
        let reply = try await fleet.observer.perform(.beat(node, lease, in: fleet.key)).get()
        #expect(reply.isRegistered && reply.isLeaseHeld)
        #expect(reply.fleet.beat == takeover.beat + 1 && reply.fleet.knownBeat == 3)
        #expect(reply.fleet.clock == BootTime(nanoseconds: 9) && reply.fleet.succeededTerm == fence.term)
        #expect(reply.server == reply.fleet.server)
        #expect(reply.nodes.map(\.id.text) == ["a", "b"])
        #expect(reply.nodes[0].applied == 7 && !reply.nodes[0].hasRoute && reply.nodes[0].beat == 1)
        #expect(await fleet.observer.perform(try .takeOver(takeover, in: fleet.key)) == .success(false))
        let later = try await fleet.takeover(by: takeover.newLeader)
        #expect(await fleet.observer.perform(try .takeOver(later, in: fleet.key)) == .success(true))
        let lost = try await fleet.observer.perform(.beat(node, lease, in: fleet.key)).get()
        #expect(lost.isRegistered && !lost.isLeaseHeld)
        #expect(lost.fleet.beat == later.beat + 1)
    }

    @Test func `heartbeats do not wait for an open commit, nor commits for an open heartbeat`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let (commits, beats) = (fleet.connect(), fleet.connect())
        let lease = LeaseBeat(fence: fence, clock: BootTime(nanoseconds: 9), knownBeat: 3, hasSucceeded: true)
        let beat = try FleetOperation.beat(
            NodeBeat(run: fence.leader, hasRoute: true, applied: 0), lease, in: fleet.key)
        try await commits.open(.append(await fleet.next(fence), behind: fence, in: fleet.key))
        #expect(try await beats.perform(beat).get().isLeaseHeld)
        try await commits.run("COMMIT")
        try await beats.open(beat)
        #expect(
            await commits.perform(try .append(await fleet.next(fence), behind: fence, in: fleet.key)).failure == nil)
        try await beats.run("COMMIT")
        #expect(try await fleet.poll().last.seq == 2)
    }

    @Test func `a long snapshot blocks neither heartbeats nor commits`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let (reader, commits) = (fleet.connect(), fleet.connect())
        try await reader.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
        let count = SQLRequest.script(
            """
            SELECT (SELECT count(*) FROM iprecord.journal WHERE fleet = \(fleet.key.number)),
              (SELECT beat FROM iprecord.fleet WHERE id = \(fleet.key.number))
            """)
        let before = try await reader.results(count).rows
        let lease = LeaseBeat(fence: fence, clock: BootTime(nanoseconds: 9), knownBeat: 3, hasSucceeded: true)
        let node = NodeBeat(run: fence.leader, hasRoute: true, applied: 0)
        var last = JournalCursor.start
        for _ in 0..<100 {
            let row = JournalRow.following(last, fence)
            async let beat = fleet.observer.perform(try .beat(node, lease, in: fleet.key))
            try await commits.perform(.append(row, behind: fence, in: fleet.key)).get()
            #expect(try await beat.get().isLeaseHeld)
            last = row.cursor
        }
        #expect(try await reader.results(count).rows == before)
        #expect(try await fleet.poll().last == last)
    }

    @Test(arguments: [0, 1, 2])
    func `a takeover terminates a leader that waits for its client`(beats: Int) async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader("a")
        let old = fleet.connect()
        _ = try await old.session()
        // The client of such a session has sent a part of a transaction, and is frozen. A heartbeat turns the lock into
        // a multixact.
        try await old.open(fleet.statement(fence))
        let new = fleet.connect()
        for _ in 0..<beats {
            let lease = LeaseBeat(fence: fence, clock: BootTime(nanoseconds: 9), knownBeat: 3, hasSucceeded: true)
            let node = NodeBeat(run: fence.leader, hasRoute: true, applied: 0)
            #expect(try await new.perform(.beat(node, lease, in: fleet.key)).get().isLeaseHeld)
        }
        let takeover = try await fleet.takeover(by: fleet.register("b"))
        #expect(await new.perform(try .takeOver(takeover, in: fleet.key)).failure == .query(.lockTimeout))
        #expect(
            await new.perform(try .terminateBlockers(in: fleet.key))
                == .success(TerminatedBlockers(count: 1, refused: 0)))
        #expect(await new.perform(try .takeOver(takeover, in: fleet.key)) == .success(true))
        guard case .endedByServer(let message) = await old.nextEvent()?.end else {
            Issue.record("the session was not terminated")
            return
        }
        #expect(message.state == .adminShutdown)
    }

    @Test func `a session that has not locked the row is not terminated`() async throws {
        let (fleet, other) = (try await TestFleet(), try await TestFleet())
        let (fence, otherFence) = (try await fleet.leader(), try await other.leader())
        let (idle, open, another) = (fleet.connect(), fleet.connect(), fleet.connect())
        try await idle.run("SELECT 1")
        try await open.open("SELECT * FROM iprecord.fleet; SELECT pg_current_xact_id()")
        try await another.open(other.statement(otherFence))
        #expect(
            await fleet.observer.perform(try .terminateBlockers(in: fleet.key))
                == .success(TerminatedBlockers(count: 0, refused: 0)))
        for connection in [idle, open, another] { try await connection.run("SELECT 1") }
        try await another.run("COMMIT")
        try await fleet.append(1, fence)
    }

    @Test func `a new incarnation waits for open transactions, and ends the term`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let (old, new) = (fleet.connect(), fleet.connect())
        let session = try await new.session()
        let server = try await fleet.row().server
        try await old.open(fleet.statement(fence))
        let next = Incarnation(number: 1, id: .random())
        let raise = try FleetOperation.raiseIncarnation(
            from: fence.incarnation, server: server, newServer: server, to: next, in: fleet.key)
        let outcome = new.begin(raise)
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await old.run("COMMIT")
        #expect(await outcome.value == .success(true))
        // Another node has noticed the same, with another id.
        #expect(await new.perform(raise) == .success(false))
        let row = try await fleet.row()
        #expect(row.incarnation == next && row.leader == nil && row.term == fence.term + 1)
        #expect(
            await old.perform(try .append(await fleet.next(fence), behind: fence, in: fleet.key)).failure
                == .query(.leaseLost))
        let sameNumber = Fence(
            term: row.term, leader: fence.leader, incarnation: Incarnation(number: 1, id: .random()))
        #expect(
            await old.perform(try .append(await fleet.next(fence), behind: sameNumber, in: fleet.key)).failure
                == .query(.leaseLost))
    }

    @Test func `on another server, nothing is changed`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let takeover = try await fleet.takeover(by: fence.leader)
        let row = try await fleet.next(fence)
        try await fleet.observer.run("UPDATE iprecord.fleet SET timeline = 99 WHERE id = \(fleet.key.number)")
        #expect(
            await fleet.observer.perform(try .append(row, behind: fence, in: fleet.key)).failure == .query(.otherServer)
        )
        #expect(await fleet.observer.perform(try .takeOver(takeover, in: fleet.key)).failure == .query(.otherServer))
        let lease = LeaseBeat(fence: fence, clock: BootTime(nanoseconds: 9), knownBeat: 3, hasSucceeded: true)
        let node = NodeBeat(run: fence.leader, hasRoute: true, applied: 0)
        let beat = try await fleet.observer.perform(.beat(node, lease, in: fleet.key)).get()
        #expect(beat.isRegistered && !beat.isLeaseHeld)
        #expect(beat.server.timeline != 99 && beat.fleet.server.timeline == 99)
        let raise = try FleetOperation.raiseIncarnation(
            from: fence.incarnation, server: beat.fleet.server, newServer: beat.fleet.server,
            to: Incarnation(number: 1, id: .random()), in: fleet.key)
        #expect(await fleet.observer.perform(raise).failure == .query(.otherServer))
        let unchanged = try await fleet.row()
        #expect(unchanged.term == takeover.term && unchanged.beat == takeover.beat)
    }

    @Test func `a leader hands over to the run of a node that it knows`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader("a")
        let successor = try await fleet.register("b")
        let restarted = try await fleet.register("b")
        let connection = fleet.connect()
        #expect(
            await connection.perform(try .handOver(fence, to: successor, hasFailed: true, in: fleet.key))
                == .success(false))
        #expect(
            await connection.perform(try .handOver(fence, to: restarted, hasFailed: true, in: fleet.key))
                == .success(true))
        let row = try await fleet.row()
        #expect(row.leader == restarted && row.term == fence.term + 1 && row.isHandedOver)
        #expect(try await connection.perform(.readNode(NodeID("a"), in: fleet.key)).get()?.failedTerm == fence.term)
        #expect(
            await connection.perform(try .handOver(fence, to: restarted, hasFailed: true, in: fleet.key)).failure
                == .query(.leaseLost))
    }
}
