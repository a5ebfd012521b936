import Testing

@testable import RecordKeeping

/// `Show` callers that begin to wait while a commit is applied.
@Suite struct WaitingCallerTests {
    private let one = IPAddress(v4: 0x0101_0101)

    /// Begins turns until the reply for the address is applied; the events of its commit are not all published then.
    private func applyReply(_ harness: KeeperHarness) throws {
        let number = try #require(harness.keeper.slots.index(of: one))
        for _ in 0..<200 where harness.keeper.slots.activity(of: number) != .resting {
            if harness.write().isEmpty { harness.beginTurn() }
        }
        #expect(harness.keeper.slots.activity(of: number) == .resting && harness.wantsTurn)
    }

    @Test func `a caller that arrives after a failure was applied waits for the next attempt`() throws {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 3)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.disk = .waits
        harness.beginsTurns = false
        harness.add(addresses(1, from: 0x0A00_0000))
        let reply = Reply(
            sentAt: harness.now, answers: [one: .malformed("no status")],
            quota: ReportedQuota(remaining: nil, resetsIn: nil))
        harness.handle(.replied(call.id, reply))
        harness.add(addresses(20, from: 0x0B00_0000))
        try applyReply(harness)
        let (id, effects) = harness.ask(.show([one], wait: .seconds(60)))
        #expect(effects.answer(to: id) == nil)
        harness.beginsTurns = true
        harness.disk = .writesAtOnce
        #expect(harness.beginTurn().answer(to: id) == nil, "the failure precedes the request")
        let calls = harness.pass(.seconds(2)).calls
        let retry = try #require(calls.first { $0.addresses.contains(one) })
        guard case .entries(let views)? = harness.reply(to: retry).answer(to: id) else {
            Issue.record("no answer to \(id)")
            return
        }
        #expect(views.map(\.state) == [.fresh])
    }

    @Test func `a caller that waits for a record that is being deleted gets the next one`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.ask(.show([one], wait: .seconds(10)))
        harness.reply(to: try #require(harness.pass(Limits.gather).calls.first))
        harness.disk = .waits
        harness.pass(harness.keeper.settings.interval)
        #expect(harness.commit != nil, "the record is being deleted")
        let (id, _) = harness.ask(.show([one], wait: .seconds(10)))
        harness.disk = .writesAtOnce
        #expect(harness.write().answer(to: id) == nil)
        let call = try #require(harness.pass(Limits.gather).calls.first)
        guard case .entries(let views)? = harness.reply(to: call).answer(to: id) else {
            Issue.record("no answer to \(id)")
            return
        }
        #expect(views.map(\.state) == [.fresh])
    }

    @Test func `a client that disconnects during a commit does not affect a later caller with its index`() throws {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 3)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        let (left, _) = harness.ask(.show([one], wait: .seconds(60)), peer: 2)
        harness.disk = .waits
        harness.beginsTurns = false
        harness.add(addresses(1, from: 0x0A00_0000))
        harness.reply(to: call)
        harness.add(addresses(20, from: 0x0B00_0000))
        try applyReply(harness)
        harness.handle(.clientLeft(left.peer))
        let (id, _) = harness.ask(.show(addresses(1, from: 0x0B00_0000), wait: .seconds(60)), peer: 3)
        #expect(harness.log.answer(to: id) == nil)
        harness.disk = .writesAtOnce
        while harness.wantsTurn { harness.beginTurn() }
        #expect(harness.log.answer(to: left) == nil && harness.log.answer(to: id) == nil)
    }
}
