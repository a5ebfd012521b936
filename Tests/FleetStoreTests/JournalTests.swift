import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Testing

@testable import FleetStore

/// The journal, and the outcomes of commits.
@Suite(.server, .timeLimit(.minutes(2)))
struct JournalTests {
    @Test func `a follower reads the rows after its cursor, in order`() async throws {
        let fleet = try await TestFleet()
        let empty = try await fleet.poll()
        #expect(empty.last == .start && empty.cursorID == JournalCursor.start.id && empty.rows == [])
        let fence = try await fleet.leader()
        var rows: [JournalRow] = []
        for number in 0..<5 {
            let row = try await fleet.next(fence, body: Array(repeating: UInt8(number), count: number * 100))
            try await fleet.observer.perform(.append(row, behind: fence, in: fleet.key)).get()
            rows.append(row)
        }
        let all = try await fleet.poll()
        #expect(all.rows == rows && all.last == rows[4].cursor && all.first == 1)
        #expect(all.cursorID == JournalCursor.start.id && all.lastIncarnation == 0)
        let rest = try await fleet.poll(after: rows[1].cursor, limit: 2)
        #expect(rest.rows == Array(rows[2...3]) && rest.cursorID == rows[1].id)
        #expect(try await fleet.poll(after: JournalCursor(seq: 9, id: .random())).cursorID == nil)
        let limited = try await fleet.observer.perform(
            .poll(after: .start, limit: 500, byteLimit: 101, withProposals: false, in: fleet.key)
        ).get()
        #expect(limited.rows == Array(rows[...2]))
    }

    @Test func `row numbers are never reused or skipped`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        try await fleet.append(2, fence)
        let last = try await fleet.poll().last
        func failure(_ seq: Int64, previous: UniqueID) async throws -> FleetStoreError? {
            let row = JournalRow.following(JournalCursor(seq: seq - 1, id: previous), fence)
            return await fleet.observer.perform(try .append(row, behind: fence, in: fleet.key)).failure
        }
        #expect(try await failure(2, previous: last.id) == .query(.numberTaken))
        #expect(try await failure(1, previous: JournalCursor.start.id) == .query(.numberTaken))
        #expect(try await failure(4, previous: last.id) == .query(.predecessorDiffers))
        #expect(try await failure(3, previous: .random()) == .query(.predecessorDiffers))
        #expect(try await fleet.poll().last == last)
        #expect(try await failure(3, previous: last.id) == nil)
    }

    @Test(arguments: [("COMMIT", true), ("ROLLBACK", false)])
    func `of two rows with the same number, the second waits for the first`(end: String, isTaken: Bool) async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let (first, second) = (fleet.connect(), fleet.connect())
        let session = try await second.session()
        let rows = [JournalRow.following(.start, fence), .following(.start, fence)]
        try await first.open(.append(rows[0], behind: fence, in: fleet.key))
        let outcome = second.begin(try .append(rows[1], behind: fence, in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await first.run(end)
        #expect(await outcome.value.failure == (isTaken ? .query(.numberTaken) : nil))
        #expect(try await fleet.poll().rows == [rows[isTaken ? 0 : 1]])
    }

    @Test func `a row that is sent again while its commit is open is recognized`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let (first, second) = (fleet.connect(), fleet.connect())
        let session = try await second.session()
        let append = try FleetOperation.append(await fleet.next(fence), behind: fence, in: fleet.key)
        try await first.open(append)
        let outcome = second.begin(append)
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await first.run("COMMIT")
        #expect(await outcome.value.failure == .query(.operationKnown))
    }

    @Test(arguments: [
        "fleet SET incarnation = 9223372036854775807", "fleet SET term = -1", "fleet SET beat = 4611686018427387904",
        "fleet SET clock = -9223372036854775808", "fleet SET known_beat = -1", "fleet SET succeeded_term = -1",
        "fleet SET leader_epoch = 9223372036854775807", "journal SET clock = 9223372036854775807",
        "journal SET term = -1", "journal SET incarnation = 9223372036854775807",
    ])
    func `a number that the fleet does not reach is an unexpected reply`(damage: String) async throws {
        let fleet = try await TestFleet()
        try await fleet.append(1, fleet.leader())
        let key = damage.hasPrefix("fleet") ? "id" : "fleet"
        try await fleet.observer.run("UPDATE iprecord.\(damage) WHERE \(key) = \(fleet.key.number)")
        let poll = try FleetOperation.poll(after: .start, limit: 1, withProposals: true, in: fleet.key)
        let failure = await fleet.observer.perform(poll).failure
        let words = damage.split(separator: " ")
        #expect(failure == .unexpectedReply(reason: "column \"\(words[2])\": \(words[4]) is out of range"))
    }

    // MARK: Unknown outcomes

    @Test func `a commit that did not arrive is not made, even if it arrives later`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let row = try await fleet.next(fence)
        let resolve = try FleetOperation.resolve(row.cursor, in: fleet.key)
        // The reply to the first one may have been lost.
        for _ in 0..<2 { #expect(await fleet.observer.perform(resolve) == .success(false)) }
        #expect(
            await fleet.observer.perform(try .append(row, behind: fence, in: fleet.key)).failure
                == .query(.operationKnown))
        #expect(try await fleet.poll().last == .start)
        // The same changes under another id are another operation.
        try await fleet.append(1, fence)
    }

    @Test func `a commit whose connection broke before the reply is found`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let row = try await fleet.next(fence)
        let connection = fleet.connect()
        // The session ends after the commit, before the reply.
        let text = try FleetOperation.append(row, behind: fence, in: fleet.key).request.text
        let outcome = await connection.send(
            .script("BEGIN; \(text); COMMIT; SELECT pg_terminate_backend(pg_backend_pid())"))
        #expect(outcome.failure?.isOutcomeUnknown == true)
        let resolve = try FleetOperation.resolve(row.cursor, in: fleet.key)
        for _ in 0..<2 { #expect(await fleet.observer.perform(resolve) == .success(true)) }
        #expect(
            await fleet.observer.perform(try .append(row, behind: fence, in: fleet.key)).failure
                == .query(.operationKnown))
        #expect(try await fleet.poll().rows == [row])
    }

    @Test(arguments: [true, false])
    func `the outcome of an open transaction is known after its end`(isCommitted: Bool) async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let row = try await fleet.next(fence)
        let (first, second) = (fleet.connect(), fleet.connect())
        let (old, session) = try await (first.session(), second.session())
        try await first.open(.append(row, behind: fence, in: fleet.key))
        let resolve = try FleetOperation.resolve(row.cursor, in: fleet.key)
        let outcome = second.begin(resolve)
        try await fleet.wait(until: session, waitsFor: "Lock")
        if isCommitted {
            try await first.run("COMMIT")
        } else {
            try await fleet.observer.run("SELECT pg_terminate_backend(\(old.processID))")
        }
        #expect(await outcome.value == .success(isCommitted))
        #expect(try await fleet.poll().rows == (isCommitted ? [row] : []))
    }

    @Test func `a commit that arrives during a resolution waits for it`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let row = try await fleet.next(fence)
        let (first, second) = (fleet.connect(), fleet.connect())
        let session = try await second.session()
        try await first.open(.resolve(row.cursor, in: fleet.key))
        let outcome = second.begin(try .append(row, behind: fence, in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await first.run("COMMIT")
        #expect(await outcome.value.failure == .query(.operationKnown))
    }

    // MARK: Sweeps

    @Test func `a sweep deletes old rows in batches, never its mark`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        try await fleet.append(7, fence)
        let rows = try await fleet.poll().rows
        func sweep(_ cursor: JournalCursor, limit: Int = 100) async throws -> Int {
            try await fleet.observer.perform(
                .sweep(Sweep(journal: cursor, outcomes: 0, history: 0, limit: limit), behind: fence, in: fleet.key)
            ).get()
        }
        #expect(try await sweep(JournalCursor(seq: 3, id: .random())) == 0)
        #expect(try await sweep(rows[3].cursor, limit: 2) == 2)
        #expect(try await sweep(rows[3].cursor, limit: 2) == 1)
        #expect(try await sweep(rows[3].cursor, limit: 2) == 0)
        let poll = try await fleet.poll()
        #expect(poll.first == 4 && poll.rows == Array(rows[3...]) && poll.cursorID == nil)
        #expect(try await sweep(rows[6].cursor) == 3)
        #expect(try await fleet.poll(after: rows[6].cursor).first == 7)
        try await fleet.append(1, fence)
        #expect(try await fleet.poll(after: rows[6].cursor).rows.map(\.seq) == [8])
    }

    @Test func `a stale leader deletes nothing`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader("a")
        try await fleet.append(3, fence)
        let rows = try await fleet.poll().rows
        _ = try await fleet.leader("b")
        let sweep = try FleetOperation.sweep(
            Sweep(journal: rows[1].cursor, outcomes: 2, history: 0, limit: 9), behind: fence, in: fleet.key)
        #expect(await fleet.observer.perform(sweep).failure == .query(.leaseLost))
        #expect(try await fleet.poll().rows == rows)
    }
}
