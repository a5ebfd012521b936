import RecordKeeping
import Testing

@testable import Fleet

/// The positions up to which a leader deletes old rows.
struct SweepTests {
    private func time(_ seconds: Int64) -> BootTime { BootTime(nanoseconds: seconds * 1_000_000_000) }
    private func end(_ seq: Int64) -> JournalCursor { JournalCursor(seq: seq, id: UniqueID(high: 2, low: UInt64(seq))) }

    /// Returns marks of a journal that gets one row per minute, from minute 0 to `minutes`.
    private func marks(minutes: Int64) -> SweepMarks {
        var marks = SweepMarks()
        for minute in 0...minutes { marks.note(end(minute + 1), maxRetention: .seconds(600), at: time(minute * 60)) }
        return marks
    }

    @Test func `the journal, outcomes and events have retentions of their own`() {
        var marks = marks(minutes: 20)
        let sweep = marks.due(
            journal: .seconds(120), outcomes: .seconds(600), history: 4, limit: 50, at: time(20 * 60))
        #expect(sweep == Sweep(journal: end(19), outcomes: 11, history: 4, limit: 50))
    }

    @Test func `nothing is deleted before the journal's retention is over`() {
        var marks = marks(minutes: 1)
        #expect(
            marks.due(journal: .seconds(120), outcomes: .seconds(600), history: 4, limit: 50, at: time(60)) == nil)
    }

    @Test func `no outcome is deleted before the retention of outcomes is over`() {
        var marks = marks(minutes: 5)
        let sweep = marks.due(
            journal: .seconds(120), outcomes: .seconds(600), history: 4, limit: 50, at: time(5 * 60))
        #expect(sweep == Sweep(journal: end(4), outcomes: -1, history: 4, limit: 50))
    }

    @Test func `sweeps follow one another while there are rows to delete`() {
        var marks = marks(minutes: 20)
        func due(at second: Int64) -> Bool {
            marks.due(journal: .seconds(120), outcomes: .seconds(600), history: 0, limit: 50, at: time(second)) != nil
        }
        #expect(due(at: 1_200))
        #expect(!due(at: 1_201))
        marks.deleted(at: time(1_202))
        #expect(due(at: 1_202))
        #expect(!due(at: 1_261))
        #expect(due(at: 1_262))
    }

    @Test func `a leader sweeps what was the end of the journal when it was a follower`() throws {
        let harness = MemberHarness()
        harness.rows = [harness.nextRow(), harness.nextRow(seq: 2)]
        harness.rows[1] = JournalRow(
            seq: 2, id: UniqueID(high: 9, low: 2), previous: harness.rows[0].id, term: 0, incarnation: 0,
            clock: harness.now, encoding: 1, body: [])
        harness.fleet.leader = MemberHarness.other
        harness.register()
        harness.answerBeat()
        harness.answerPoll()
        harness.expect(.apply(harness.rows, in: MemberHarness.incarnation, commit: nil))
        harness.handle(.applied(harness.rows[1].cursor))
        for _ in 0..<3_700 {
            harness.fleet.beat += 1
            harness.live(1)
        }
        #expect(harness.query(.write) == nil)
        harness.live(10)
        guard case .takeOver? = harness.query(.lease) else {
            Issue.record("no takeover")
            return
        }
        (harness.fleet.term, harness.fleet.leader) = (harness.fleet.term + 1, harness.own)
        harness.reply(.lease, .changed(true))
        harness.answerBeat()
        harness.answerPoll()
        let effects = harness.dequeueEffects()
        #expect(effects.count == 1)
        guard case .role(.leading(_))? = effects.first else {
            Issue.record("no leadership, but \(effects)")
            return
        }
        guard case .sweep(_, let sweep)? = harness.query(.write) else {
            Issue.record("no sweep, but \(String(describing: harness.query(.write)))")
            return
        }
        #expect(sweep.journal == harness.rows[1].cursor)
        #expect(sweep.outcomes == -1)
    }

    // MARK: Failures

    /// Returns a leader whose first sweep is in flight.
    private func sweepingLeader() throws -> MemberHarness {
        let harness = MemberHarness()
        _ = try #require(harness.lead())
        harness.live(3_500)
        try waitForSweep(harness)
        return harness
    }

    private enum Missing: Error { case sweep }

    /// Lets time pass without effects until the next sweep.
    private func waitForSweep(_ harness: MemberHarness, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for _ in 0..<130 where harness.query(.write) == nil {
            harness.live(1)
            harness.expect(sourceLocation: sourceLocation)
        }
        guard case .sweep? = harness.query(.write) else { throw Missing.sweep }
    }

    /// Makes a commit of the leader, which succeeds.
    private func commit(_ harness: MemberHarness) throws {
        harness.pass(FleetLimits.retry)
        harness.handle(.commit(CommitID(1), body: [], outcomes: []))
        guard case .append(_, let row)? = harness.query(.write) else {
            Issue.record("no commit, but \(String(describing: harness.query(.write)))")
            return
        }
        harness.rows.append(row)
        harness.reply(.write, .done)
        harness.expect(.apply([row], in: MemberHarness.incarnation, commit: CommitID(1)), .notify)
        harness.handle(.applied(row.cursor))
    }

    @Test(arguments: [
        (FleetFailure.refused(reason: "disk full"), "disk full"), (.outcomeUnknown(reason: "no reply"), "no reply"),
        (.lockTimeout, "a lock was not available in time"),
    ]) func `sweeps that keep failing are reported once, until one succeeds`(failure: FleetFailure, reason: String)
        throws
    {
        let harness = try sweepingLeader()
        harness.fail(.write, failure)
        harness.expect()
        try commit(harness)
        try waitForSweep(harness)
        harness.fail(.write, failure)
        harness.expect(.alert(.fleetLost(reason: "old rows cannot be deleted: \(reason)")))
        try commit(harness)
        try waitForSweep(harness)
        harness.fail(.write, failure)
        harness.expect()
        try waitForSweep(harness)
        harness.reply(.write, .swept(0))
        harness.expect(.alert(.fleetRestored))
    }

    @Test func `a sweep that fails once is not reported`() throws {
        let harness = try sweepingLeader()
        for _ in 0..<3 {
            harness.fail(.write, .serialization)
            try waitForSweep(harness)
            harness.reply(.write, .swept(0))
            harness.expect()
            try waitForSweep(harness)
        }
    }

    @Test func `a node that no longer leads does not report failed sweeps`() throws {
        let harness = try sweepingLeader()
        for _ in 0..<2 {
            if harness.query(.write) == nil { try waitForSweep(harness) }
            harness.fail(.write, .refused(reason: "disk full"))
        }
        harness.expect(.alert(.fleetLost(reason: "old rows cannot be deleted: disk full")))
        (harness.fleet.term, harness.fleet.leader) = (harness.fleet.term + 1, MemberHarness.other)
        harness.answerPoll()
        harness.expect(.role(.following), .alert(.fleetRestored))
    }
}
