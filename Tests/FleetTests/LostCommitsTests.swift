import RecordKeeping
import Testing

@testable import Fleet

/// The alerts of a node whose commits the database has lost.
struct LostCommitsTests {
    @Test func `an alert names the commits that the database has lost`() {
        let cursor = JournalCursor(seq: 3, id: UniqueID(high: 1, low: 3))
        let harness = MemberHarness(cursor: cursor)
        harness.fleet.incarnation = Incarnation(number: 1, id: UniqueID(high: 6, low: 6))
        harness.rows = [harness.nextRow(), harness.nextRow(seq: 2)]
        harness.register()
        harness.answerPoll()
        harness.expect(.saveIncarnation(harness.fleet.incarnation))
        let snapshot = FleetSnapshot(
            server: harness.server, fleet: harness.fleet, cursor: harness.rows[1].cursor, state: [],
            recent: harness.rows.map(\.cursor),
            starts: [IncarnationStart(number: 1, row: harness.rows[0].cursor)], outcomes: [])
        harness.reply(.read, .snapshot(snapshot))
        harness.expect(.alert(.commitsLost(1...3)), .replace(snapshot, missing: 1...2))
    }

    /// The incarnations of a node or of the database: the number of each with the number of its first row, and the end.
    struct History {
        let starts: [(incarnation: Int64, seq: Int64)]
        let end: Int64

        /// Rows of different incarnations have different ids.
        func row(_ incarnation: Int64, _ seq: Int64) -> JournalCursor {
            JournalCursor(seq: seq, id: UniqueID(high: UInt64(incarnation) + 10, low: UInt64(seq)))
        }

        var cursor: JournalCursor { starts.last.map { row($0.incarnation, end) } ?? .start }
        var incarnationStarts: [IncarnationStart] {
            starts.map { IncarnationStart(number: $0.incarnation, row: row($0.incarnation, $0.seq)) }
        }
    }

    @Test(
        arguments: [
            // Nothing is lost at a promotion.
            (History(starts: [(0, 1)], end: 10), History(starts: [(0, 1), (1, 15)], end: 30), nil),
            // A restore to an empty journal.
            (History(starts: [(0, 1)], end: 10), History(starts: [], end: 0), 1...10),
            (History(starts: [(0, 1)], end: 10), History(starts: [(1, 1)], end: 30), 1...10),
            // Several restores, of a backup that does not contain the first of them.
            (History(starts: [(0, 1), (2, 20)], end: 29), History(starts: [(0, 1), (5, 15)], end: 90), 15...29),
            // A restore of a backup that was made before an earlier restore.
            (
                History(starts: [(0, 1), (2, 20)], end: 29), History(starts: [(0, 1), (1, 20), (5, 40)], end: 90),
                20...29
            ),
            // The last rows of an incarnation.
            (
                History(starts: [(0, 1), (2, 20)], end: 29), History(starts: [(0, 1), (2, 20), (3, 25)], end: 90),
                25...29
            ),
            // The last row that the node has applied is in the middle of an incarnation.
            (History(starts: [(0, 1), (2, 20)], end: 24), History(starts: [(0, 1), (2, 20), (3, 25)], end: 90), nil),
        ] as [(History, History, ClosedRange<Int64>?)])
    func `an alert names exactly the lost commits, although no row can be compared`(
        own: History, other: History, lost: ClosedRange<Int64>?
    ) {
        let harness = MemberHarness(cursor: own.cursor, starts: own.incarnationStarts)
        harness.fleet.incarnation = Incarnation(number: 6, id: UniqueID(high: 6, low: 6))
        let rows = other.starts.isEmpty ? [] : [harness.nextRow(seq: other.end)]
        harness.rows = rows
        harness.register()
        harness.answerPoll()
        harness.expect(.saveIncarnation(harness.fleet.incarnation))
        let snapshot = FleetSnapshot(
            server: harness.server, fleet: harness.fleet, cursor: rows.last?.cursor ?? .start, state: [],
            recent: rows.map(\.cursor), starts: other.incarnationStarts, outcomes: [])
        harness.reply(.read, .snapshot(snapshot))
        let common = lost.map { $0.lowerBound - 1 } ?? own.end
        let replacement = FleetEffect.replace(snapshot, missing: common < other.end ? common + 1...other.end : nil)
        if let lost { harness.expect(.alert(.commitsLost(lost)), replacement) } else { harness.expect(replacement) }
    }

    @Test func `a member remembers the first row of each incarnation`() {
        let harness = MemberHarness()
        (harness.fleet.term, harness.fleet.leader) = (1, MemberHarness.other)
        harness.rows = [harness.nextRow()]
        harness.rows.append(harness.nextRow())
        harness.fleet.incarnation = Incarnation(number: 3, id: UniqueID(high: 6, low: 6))
        harness.rows.append(harness.nextRow())
        harness.rows.append(harness.nextRow())
        harness.register()
        harness.answerPoll()
        harness.expect(
            .saveIncarnation(harness.fleet.incarnation),
            .apply(harness.rows, in: harness.fleet.incarnation, commit: nil))
        #expect(
            harness.member.starts == [
                IncarnationStart(number: 0, row: harness.rows[0].cursor),
                IncarnationStart(number: 3, row: harness.rows[2].cursor),
            ])
    }
}
