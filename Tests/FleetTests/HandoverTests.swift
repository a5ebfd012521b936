import RecordKeeping
import Testing

@testable import Fleet

/// The end of a leadership whose node cannot call, or leaves.
struct HandoverTests {
    @Test func `a leader without a route hands over once its calls have ended`() throws {
        let harness = MemberHarness()
        harness.peers = [NodeRow.test("b")]
        _ = try #require(harness.lead())
        harness.handle(.routeChanged(hasRoute: false))
        harness.expect(.stopCalls)
        #expect(harness.query(.lease) == nil)
        harness.handle(.callsStopped)
        guard case .handOver(let fence, let successor, hasFailed: false)? = harness.query(.lease) else {
            Issue.record("no handover")
            return
        }
        #expect(fence.term == 1)
        #expect(successor == MemberHarness.other)
        harness.reply(.lease, .changed(true))
        harness.expect(.role(.following))
    }

    @Test func `a call that fails without a route is not a failure of the node`() throws {
        let harness = MemberHarness()
        harness.peers = [NodeRow.test("b")]
        _ = try #require(harness.lead())
        harness.handle(.callEnded(hasSucceeded: false))
        harness.handle(.routeChanged(hasRoute: false))
        harness.expect(.stopCalls)
        harness.handle(.callEnded(hasSucceeded: false))
        harness.handle(.callsStopped)
        guard case .handOver(_, MemberHarness.other, hasFailed: false)? = harness.query(.lease) else {
            Issue.record("no handover")
            return
        }
    }

    @Test func `a leader without a route for a minute first tries a call when the route returns`() throws {
        let harness = MemberHarness()
        _ = try #require(harness.lead())
        harness.handle(.callEnded(hasSucceeded: false))
        harness.handle(.routeChanged(hasRoute: false))
        harness.handle(.callEnded(hasSucceeded: false))
        harness.live(60)
        harness.peers = [NodeRow.test("b")]
        harness.handle(.routeChanged(hasRoute: true))
        harness.live(4)
        harness.expect()
        #expect(harness.member.isLeading(at: harness.now))
    }

    @Test func `a leader whose calls fail for a minute hands over`() throws {
        let harness = MemberHarness()
        harness.peers = [NodeRow.test("b")]
        _ = try #require(harness.lead())
        harness.handle(.callEnded(hasSucceeded: false))
        for second in 1...60 {
            harness.peers[0].beat += 1
            harness.live(1)
            if second < 60 { harness.expect() }
        }
        harness.answerBeatIfSent()
        harness.expect(.stopCalls)
        harness.handle(.callsStopped)
        guard case .handOver(_, to: MemberHarness.other, hasFailed: true)? = harness.query(.lease) else {
            Issue.record("no handover")
            return
        }
    }

    @Test func `a leader that leaves hands over or steps down, and then leaves`() throws {
        let harness = MemberHarness()
        _ = try #require(harness.lead())
        harness.handle(.leaving)
        harness.expect(.role(.following))
        harness.handle(.deadlineReached)
        #expect(harness.query(.lease) == .leave(harness.own))
        harness.reply(.lease, .changed(true))
        harness.expect(.role(.stopped(.left)))
    }

    @Test func `a node that copies the database is not a successor`() throws {
        let cursor = JournalCursor(seq: 900, id: UniqueID(high: 1, low: 900))
        let harness = MemberHarness(cursor: cursor)
        harness.rows = [
            JournalRow(
                seq: cursor.seq, id: cursor.id, previous: UniqueID(high: 1, low: 899), term: 0, incarnation: 0,
                clock: harness.now, encoding: 1, body: [])
        ]
        harness.peers = [NodeRow.test("b")]
        harness.peers[0].applied = 399
        _ = try #require(harness.lead())
        harness.handle(.routeChanged(hasRoute: false))
        harness.expect()
        harness.peers[0].applied = 400
        harness.peers[0].beat += 1
        harness.live(2)
        harness.answerBeat()
        harness.expect(.stopCalls)
    }

    @Test func `a node that failed since the last success is not a successor`() throws {
        let harness = MemberHarness()
        var row = NodeRow.test("b")
        row.failedTerm = 0
        harness.peers = [row]
        _ = try #require(harness.lead())
        harness.handle(.routeChanged(hasRoute: false))
        harness.expect()
    }
}
