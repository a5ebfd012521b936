import RecordKeeping
import Testing

@testable import Fleet

/// Registration, takeovers and leases.
struct LeaseTests {
    @Test func `a start increments the epoch of the node`() {
        let harness = MemberHarness()
        harness.handle(.started)
        #expect(harness.query(.lease) == .readNode(MemberHarness.node))
        var row = NodeRow.test("a", epoch: 4, machine: "m")
        row.beat = 9
        harness.reply(.lease, .node(row))
        guard case .register(let new, let mark)? = harness.query(.lease) else {
            Issue.record("no registration")
            return
        }
        #expect(new.epoch > 4)
        #expect(mark == row.mark)
    }

    @Test func `two starts that replace the same row have different epochs`() throws {
        let epochs = try [UInt64(1), 2].map { seed -> Int64 in
            let harness = MemberHarness(seed: seed)
            harness.handle(.started)
            harness.reply(.lease, .node(nil))
            guard case .register(let row, nil)? = harness.query(.lease) else { throw Missing.registration }
            return row.epoch
        }
        #expect(epochs[0] != epochs[1])
    }

    private enum Missing: Error { case registration }

    @Test(arguments: [true, false]) func `a live row of another machine refuses the start`(isAlive: Bool) {
        let harness = MemberHarness()
        harness.handle(.started)
        var row = NodeRow.test("a", epoch: 4, machine: "other")
        for _ in 0..<5 {
            harness.reply(.lease, .node(row))
            harness.pass(.seconds(2))
        }
        if isAlive { row.beat += 1 }
        harness.reply(.lease, .node(row))
        if isAlive {
            harness.expect(.alert(.identityInUse), .role(.stopped(.clonedState)))
        } else {
            guard case .register? = harness.query(.lease) else {
                Issue.record("no registration")
                return
            }
        }
    }

    @Test func `an outage does not count as the silence of another machine`() throws {
        let harness = MemberHarness()
        harness.handle(.started)
        var row = NodeRow.test("a", epoch: 4, machine: "other")
        harness.reply(.lease, .node(row))
        // Neither this node nor the other machine reaches the database.
        for second in 1...10 {
            harness.pass(.seconds(1))
            if second == 8 { harness.expect(.alert(.fleetLost(reason: "refused"))) }
            if harness.query(.lease) != nil { harness.fail(.lease, .notSent(reason: "refused")) }
        }
        harness.pass(.seconds(2))
        harness.reply(.lease, .node(row))
        harness.expect(.alert(.fleetRestored))
        harness.pass(.seconds(2))
        try #require(harness.query(.lease) == .readNode(MemberHarness.node))
        row.beat += 1
        harness.reply(.lease, .node(row))
        harness.expect(.alert(.identityInUse), .role(.stopped(.clonedState)))
    }

    @Test func `a node takes over after nine seconds of silence`() {
        let harness = MemberHarness()
        (harness.fleet.term, harness.fleet.leader) = (3, MemberHarness.other)
        harness.register()
        harness.live(8)
        harness.answerPoll()
        #expect(harness.query(.lease) == nil || harness.query(.lease)?.isTakeover == false)
        harness.live(1)
        harness.answerBeatIfSent()
        #expect(harness.query(.lease)?.isTakeover == true)
    }

    @Test func `a silence counts from the reply that first showed the heartbeat`() {
        let harness = MemberHarness()
        (harness.fleet.term, harness.fleet.leader) = (3, MemberHarness.other)
        harness.register()
        harness.pass(.milliseconds(2_500))
        harness.answerPoll()
        harness.live(8)
        harness.answerPoll()
        harness.answerBeatIfSent()
        #expect(harness.query(.lease)?.isTakeover != true)
        harness.live(1)
        harness.answerBeatIfSent()
        #expect(harness.query(.lease)?.isTakeover == true)
    }

    @Test func `a heartbeat begins another silence`() {
        let harness = MemberHarness()
        harness.fleet.leader = MemberHarness.other
        harness.register()
        harness.live(8)
        harness.fleet.beat += 1
        harness.live(8)
        harness.answerBeatIfSent()
        #expect(harness.query(.lease) == nil)
    }

    @Test func `a node without a route waits longer`() {
        let harness = MemberHarness()
        harness.fleet.leader = MemberHarness.other
        harness.register()
        harness.handle(.routeChanged(hasRoute: false))
        harness.live(13)
        harness.answerBeatIfSent()
        #expect(harness.query(.lease) == nil)
        harness.live(3)
        harness.answerBeatIfSent()
        #expect(harness.query(.lease)?.isTakeover == true)
    }

    @Test func `a gap between reads begins another silence`() {
        var silence = Silence(FleetRow(server: MemberHarness.server), at: BootTime(nanoseconds: 0))
        let row = FleetRow(server: MemberHarness.server)
        func time(_ seconds: Int64) -> BootTime { BootTime(nanoseconds: seconds * 1_000_000_000) }
        silence.read(row, at: time(3))
        #expect(silence.since == time(0))
        silence.read(row, at: time(7))
        #expect(silence.since == time(7))
        #expect(silence.isWatched(at: time(10)))
        #expect(!silence.isWatched(at: time(11)))
    }

    @Test func `a new leader waits for its heartbeat and for the end of the journal`() throws {
        let harness = MemberHarness()
        let leadership = try #require(harness.lead())
        #expect(leadership.term == 1)
        #expect(leadership.isQuotaKnown)
        // Two seconds to send and five for the request, on a clock that is slower.
        #expect(leadership.affectedFrom == harness.now + .milliseconds(10_500))
    }

    @Test func `the quota is unknown after a restore of an empty journal`() throws {
        let incarnation = Incarnation(number: 1, id: UniqueID(high: 4, low: 4))
        let harness = MemberHarness(incarnation: incarnation)
        harness.fleet.incarnation = incarnation
        let leadership = try #require(harness.lead())
        #expect(!leadership.isQuotaKnown)
        // A lease longer than otherwise.
        #expect(leadership.affectedFrom == harness.now + .milliseconds(16_500))
    }

    @Test func `a lease counts from the request of the last successful heartbeat`() throws {
        let harness = MemberHarness()
        _ = try #require(harness.lead())
        let sentAt = harness.now
        harness.pass(.seconds(2))
        harness.fail(.lease, .outcomeUnknown(reason: "lost"))
        #expect(harness.member.isLeading(at: sentAt + .milliseconds(5_999)))
        #expect(!harness.member.isLeading(at: sentAt + .seconds(6)))
        harness.pass(.milliseconds(3_999))
        harness.pass(.milliseconds(1))
        harness.expect(.role(.following))
    }

    @Test func `a node takes over from itself instead of holding a term again`() throws {
        let harness = MemberHarness()
        _ = try #require(harness.lead())
        // The heartbeat after two seconds is never answered.
        for _ in 0..<2 {
            harness.pass(.seconds(2))
            harness.answerPoll()
        }
        harness.pass(.seconds(2))
        harness.expect(.role(.following))
        // The row still has this node as the leader of the term.
        harness.answerPoll()
        harness.pass(.seconds(1))
        harness.answerPoll()
        harness.pass(.milliseconds(500))
        guard case .beat(_, nil)? = harness.query(.lease) else {
            Issue.record("no heartbeat without a lease, but \(String(describing: harness.query(.lease)))")
            return
        }
        harness.answerBeat()
        #expect(harness.query(.lease)?.isTakeover == true)
    }

    @Test func `calls may be sent for two seconds after a confirmation`() throws {
        let harness = MemberHarness()
        _ = try #require(harness.lead())
        #expect(harness.member.callsUntil(at: harness.now) == harness.now + .seconds(2))
        #expect(harness.member.callsUntil(at: harness.now + .seconds(2)) == nil)
    }

    @Test func `another term in a poll ends the lease`() throws {
        let harness = MemberHarness()
        _ = try #require(harness.lead())
        harness.pass(.seconds(1))
        (harness.fleet.term, harness.fleet.leader) = (2, MemberHarness.other)
        harness.answerPoll()
        harness.expect(.role(.following))
        #expect(harness.member.callsUntil(at: harness.now) == nil)
    }

    @Test func `an open transaction that waits for its client is terminated`() {
        let harness = MemberHarness()
        harness.fleet.leader = MemberHarness.other
        harness.register()
        harness.live(9)
        harness.answerBeatIfSent()
        harness.fail(.lease, .lockTimeout)
        harness.answerPoll()
        harness.pass(.milliseconds(600))
        harness.answerBeatIfSent()
        #expect(harness.query(.lease) == .terminateBlockers)
    }

    @Test(arguments: [
        (FleetFailure.outcomeUnknown(reason: "no standby"), "no standby"), (.refused(reason: "disk full"), "disk full"),
        (.lockTimeout, "a lock was not available in time"), (.serialization, "serialization failure or deadlock"),
    ]) func `writes that fail are reported although polls succeed`(failure: FleetFailure, reason: String) {
        let harness = MemberHarness()
        (harness.fleet.term, harness.fleet.leader) = (1, MemberHarness.other)
        harness.register()
        harness.fail(.lease, failure)
        for second in 1...5 {
            harness.answerPoll()
            harness.fleet.beat += 1
            harness.pass(.seconds(1))
            harness.expect()
            if second % 2 == 1 { harness.fail(.lease, failure) }
        }
        harness.answerPoll()
        harness.pass(.seconds(1))
        harness.expect(.alert(.fleetLost(reason: reason)))
        harness.answerPoll()
        harness.expect()
        harness.answerBeat()
        harness.expect(.alert(.fleetRestored))
    }

    @Test func `a node stops if another process has registered it again`() {
        let harness = MemberHarness()
        harness.register()
        let row = NodeRow.test("a", epoch: harness.own.epoch + 1, machine: "m")
        harness.answerBeat(isRegistered: false, own: row)
        harness.expect(.alert(.identityInUse), .role(.stopped(.superseded)))
    }

    @Test func `a node whose registration was lost registers again`() {
        let harness = MemberHarness()
        harness.register()
        harness.answerBeat(isRegistered: false, own: nil)
        #expect(harness.query(.lease) == .readNode(MemberHarness.node))
        harness.reply(.lease, .node(nil))
        guard case .register(let row, replacing: nil)? = harness.query(.lease) else {
            Issue.record("no registration")
            return
        }
        // Another run than the one that the database has lost.
        #expect(row.epoch > harness.own.epoch)
    }
}

extension FleetQuery {
    fileprivate var isTakeover: Bool {
        if case .takeOver = self { true } else { false }
    }
}
