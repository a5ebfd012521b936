import RecordKeeping
import Testing

@testable import Fleet

/// Commits of the leader, and followers.
struct JournalTests {
    private static let number = CommitID(1)

    /// Returns a leader with a commit in flight, and its row.
    private func committing(idPrefix: UInt64 = 1) throws -> (MemberHarness, JournalRow) {
        let harness = MemberHarness(idPrefix: idPrefix)
        _ = try #require(harness.lead())
        harness.handle(.commit(Self.number, body: [5], outcomes: []))
        let query = harness.query(.write)
        guard case .append(let fence, let row)? = query else { throw Missing.append }
        #expect(fence.term == 1)
        #expect((row.seq, row.previous) == (1, JournalCursor.start.id))
        return (harness, row)
    }

    private enum Missing: Error { case append, beat, incarnation, poll }

    @Test func `a commit is stored locally once it is in the journal`() throws {
        let (harness, row) = try committing()
        harness.reply(.write, .done)
        harness.expect(.apply([row], in: MemberHarness.incarnation, commit: Self.number), .notify)
        harness.handle(.applied(row.cursor))
        #expect(harness.member.cursor == row.cursor)
    }

    @Test func `two runs with the same seed draw different ids`() throws {
        let (_, first) = try committing(idPrefix: 1)
        let (_, second) = try committing(idPrefix: 2)
        #expect(first.id.low == second.id.low)
        #expect(first.id.high != second.id.high)
    }

    @Test func `an unknown outcome is resolved`() throws {
        let (harness, row) = try committing()
        harness.fail(.write, .outcomeUnknown(reason: "lost"))
        harness.pass(.milliseconds(500))
        #expect(harness.query(.write) == .resolve(row.cursor))
        harness.reply(.write, .resolved(isCommitted: true))
        harness.expect(.apply([row], in: MemberHarness.incarnation, commit: Self.number), .notify)
    }

    @Test func `a resolution that could not be locked is not an answer`() throws {
        let (harness, row) = try committing()
        harness.fail(.write, .outcomeUnknown(reason: "lost"))
        harness.pass(.milliseconds(500))
        harness.fail(.write, .lockTimeout)
        harness.pass(.milliseconds(500))
        #expect(harness.query(.write) == .resolve(row.cursor))
    }

    @Test func `a commit that was not made is sent again with another id`() throws {
        let (harness, row) = try committing()
        harness.fail(.write, .outcomeUnknown(reason: "lost"))
        harness.pass(.milliseconds(500))
        harness.reply(.write, .resolved(isCommitted: false))
        guard case .append(_, let again)? = harness.query(.write) else { throw Missing.append }
        #expect(again.id != row.id)
        #expect(again.body == row.body)
    }

    @Test(arguments: [FleetFailure.serialization, .lockTimeout, .notSent(reason: "refused"), .readOnly])
    func `a transaction that had no effect is repeated`(failure: FleetFailure) throws {
        let (harness, _) = try committing()
        harness.fail(.write, failure)
        harness.pass(.milliseconds(500))
        guard case .append? = harness.query(.write) else { throw Missing.append }
    }

    @Test func `a failed commit that is not repeated is not reported`() throws {
        let (harness, _) = try committing()
        harness.fail(.write, .refused(reason: "disk full"))
        harness.expect(.commitFailed(Self.number, .refused(reason: "disk full")))
        harness.live(8)
        harness.expect()
    }

    @Test(arguments: [FleetFailure.leaseLost, .otherServer, .numberTaken, .predecessorDiffers])
    func `a leader steps down if its transaction is refused`(failure: FleetFailure) throws {
        let (harness, _) = try committing()
        harness.fail(.write, failure)
        harness.expect(.commitFailed(Self.number, .leaseLost), .role(.following))
    }

    @Test func `a leader stops its heartbeats while a commit is unanswered`() throws {
        let (harness, _) = try committing()
        var extendsLease: [Bool] = []
        for _ in 0..<3 {
            harness.pass(.seconds(2))
            harness.answerPoll()
            guard case .beat(_, let lease)? = harness.query(.lease) else { throw Missing.beat }
            extendsLease.append(lease != nil)
            harness.answerBeat()
        }
        #expect(extendsLease == [true, true, false])
    }

    @Test func `a follower applies rows in order`() {
        let harness = MemberHarness()
        (harness.fleet.term, harness.fleet.leader) = (1, MemberHarness.other)
        harness.rows = [harness.nextRow()]
        harness.rows.append(harness.nextRow())
        harness.register()
        harness.answerPoll()
        harness.expect(.apply(harness.rows, in: MemberHarness.incarnation, commit: nil))
        // The next poll follows once the store has them.
        harness.pass(.seconds(1))
        #expect(harness.query(.read) == nil)
        harness.handle(.applied(harness.rows[1].cursor))
        guard case .poll(harness.rows[1].cursor, _, _)? = harness.query(.read) else {
            Issue.record("no poll")
            return
        }
    }

    @Test func `a follower polls again at once if a poll did not reach the end of the journal`() {
        let harness = MemberHarness()
        (harness.fleet.term, harness.fleet.leader) = (1, MemberHarness.other)
        harness.rows = [harness.nextRow()]
        harness.rows.append(harness.nextRow())
        harness.register()
        // Large rows: the number of rows is not the only limit of a poll.
        harness.answerPoll(count: 1)
        harness.expect(.apply([harness.rows[0]], in: MemberHarness.incarnation, commit: nil))
        harness.handle(.applied(harness.rows[0].cursor))
        guard case .poll(harness.rows[0].cursor, _, _)? = harness.query(.read) else {
            Issue.record("no poll")
            return
        }
        harness.answerPoll()
        harness.expect(.apply([harness.rows[1]], in: MemberHarness.incarnation, commit: nil))
        harness.handle(.applied(harness.rows[1].cursor))
        #expect(harness.query(.read) == nil)
    }

    @Test func `a follower whose row was swept reads a snapshot and publishes the gap`() {
        let start = IncarnationStart(number: 0, row: JournalCursor(seq: 1, id: UniqueID(high: 1, low: 1)))
        let harness = MemberHarness(cursor: JournalCursor(seq: 3, id: UniqueID(high: 1, low: 3)), starts: [start])
        (harness.fleet.term, harness.fleet.leader) = (1, MemberHarness.other)
        harness.rows = [harness.nextRow(seq: 8, previous: UniqueID(high: 1, low: 7))]
        harness.register()
        harness.answerPoll()
        #expect(harness.query(.read) == .snapshot(outcomesOf: []))
        let snapshot = FleetSnapshot(
            server: harness.server, fleet: harness.fleet, cursor: harness.rows[0].cursor, state: [],
            recent: [harness.rows[0].cursor], starts: [start], outcomes: [])
        harness.reply(.read, .snapshot(snapshot))
        harness.expect(.replace(snapshot, missing: 4...8))
    }

    @Test func `a row that cannot be read stops the node`() {
        let harness = MemberHarness()
        harness.rows = [harness.nextRow(encoding: 2)]
        harness.register()
        harness.answerPoll()
        harness.expect(.alert(.unknownEncoding(2)), .role(.stopped(.unknownEncoding(2))))
    }

    @Test func `another timeline raises the incarnation`() throws {
        let harness = MemberHarness()
        harness.register()
        harness.answerBeat()
        harness.server = ServerID(system: 7, timeline: 2)
        harness.answerPoll()
        guard case .raiseIncarnation(MemberHarness.incarnation, let old, let new, let to)? = harness.query(.lease)
        else {
            throw Missing.incarnation
        }
        #expect((old, new) == (MemberHarness.server, harness.server))
        #expect(to.number == 1)
        // An open transaction of the leader waits for its client.
        harness.fail(.lease, .lockTimeout)
        harness.pass(.milliseconds(500))
        #expect(harness.query(.lease) == .terminateBlockers)
        harness.reply(.lease, .done)
        guard case .raiseIncarnation? = harness.query(.lease) else { throw Missing.incarnation }
    }

    @Test func `no snapshot is read while the incarnation is being raised`() throws {
        let start = IncarnationStart(number: 0, row: JournalCursor(seq: 1, id: UniqueID(high: 1, low: 1)))
        let harness = MemberHarness(cursor: JournalCursor(seq: 3, id: UniqueID(high: 1, low: 3)), starts: [start])
        (harness.fleet.term, harness.fleet.leader) = (1, MemberHarness.other)
        harness.rows = [harness.nextRow(seq: 8, previous: UniqueID(high: 1, low: 7))]
        harness.register()
        harness.answerBeat()
        harness.answerPoll()
        #expect(harness.query(.read) == .snapshot(outcomesOf: []))
        harness.server = ServerID(system: 7, timeline: 2)
        let snapshot = FleetSnapshot(
            server: harness.server, fleet: harness.fleet, cursor: harness.rows[0].cursor, state: [],
            recent: [harness.rows[0].cursor], starts: [start], outcomes: [])
        harness.reply(.read, .snapshot(snapshot))
        guard case .raiseIncarnation(let from, _, _, let to)? = harness.query(.lease) else {
            throw Missing.incarnation
        }
        #expect(from == MemberHarness.incarnation)
        harness.pass(.seconds(1))
        guard case .poll? = harness.query(.read) else { throw Missing.poll }
        harness.answerPoll()
        #expect(harness.query(.read) == nil)
        // Another node has raised it.
        (harness.fleet.incarnation, harness.fleet.server, harness.fleet.leader) = (to, harness.server, nil)
        harness.pass(.seconds(1))
        harness.answerPoll()
        harness.expect(.saveIncarnation(to))
        #expect(harness.query(.read) == .snapshot(outcomesOf: []))
    }

    @Test func `a lower incarnation than the node has seen is raised above it`() throws {
        let harness = MemberHarness(incarnation: Incarnation(number: 4, id: UniqueID(high: 5, low: 5)))
        harness.register()
        harness.answerBeat()
        harness.answerPoll()
        guard case .raiseIncarnation(MemberHarness.incarnation, _, _, let to)? = harness.query(.lease) else {
            throw Missing.incarnation
        }
        #expect(to.number == 5)
    }

    @Test func `an incarnation of the same number with another id is raised`() throws {
        let harness = MemberHarness(incarnation: Incarnation(number: 0, id: UniqueID(high: 5, low: 5)))
        harness.register()
        harness.answerBeat()
        harness.answerPoll()
        guard case .raiseIncarnation(MemberHarness.incarnation, _, _, let to)? = harness.query(.lease) else {
            throw Missing.incarnation
        }
        #expect(to.number == 1)
        #expect(![MemberHarness.incarnation.id, UniqueID(high: 5, low: 5)].contains(to.id))
    }
}
