import Testing

@testable import RecordKeeping

/// `Show` callers that begin to wait while a commit is applied.
@Suite struct WaitingCallerTests {
    private let one = IPAddress(v4: 0x0101_0101)

    /// Begins turns until the reply for the address is applied; the events of its commit are not all published then.
    private func applyReply(_ story: Story) throws {
        let number = try #require(story.keeper.slots.number(of: one))
        for _ in 0..<200 where story.keeper.slots.activity(of: number) != .resting {
            if story.write().isEmpty { story.beginTurn() }
        }
        #expect(story.keeper.slots.activity(of: number) == .resting && story.wantsTurn)
    }

    @Test func `a caller that arrives after a failure was applied waits for the next attempt`() throws {
        let story = Story(changesPerTurn: 3)
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        story.disk = .waits
        story.beginsTurns = false
        story.add(addresses(1, from: 0x0A00_0000))
        let reply = Reply(
            sentAt: story.now, answers: [one: .malformed("no status")], quota: QuotaTold(remaining: nil, resetsIn: nil))
        story.tell(.replied(call.id, reply))
        story.add(addresses(20, from: 0x0B00_0000))
        try applyReply(story)
        let (id, effects) = story.ask(.show([one], wait: .seconds(60)))
        #expect(effects.answer(to: id) == nil)
        story.beginsTurns = true
        story.disk = .writesAtOnce
        #expect(story.beginTurn().answer(to: id) == nil, "the failure is older than the call")
        let calls = story.pass(.seconds(2)).calls
        let retry = try #require(calls.first { $0.addresses.contains(one) })
        guard case .entries(let views)? = story.reply(to: retry).answer(to: id) else {
            Issue.record("no answer to \(id)")
            return
        }
        #expect(views.map(\.state) == [.fresh])
    }

    @Test func `a caller that waits for a record that is being deleted gets the next one`() throws {
        let story = Story()
        story.ask(.show([one], wait: .seconds(10)))
        story.reply(to: try #require(story.pass(Limits.gather).calls.first))
        story.disk = .waits
        story.pass(story.keeper.settings.interval)
        #expect(story.commit != nil, "the record is being forgotten")
        let (id, _) = story.ask(.show([one], wait: .seconds(10)))
        story.disk = .writesAtOnce
        #expect(story.write().answer(to: id) == nil)
        let call = try #require(story.pass(Limits.gather).calls.first)
        guard case .entries(let views)? = story.reply(to: call).answer(to: id) else {
            Issue.record("no answer to \(id)")
            return
        }
        #expect(views.map(\.state) == [.fresh])
    }

    @Test func `a client that disconnects during a commit does not affect a later caller with its index`() throws {
        let story = Story(changesPerTurn: 3)
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        let (left, _) = story.ask(.show([one], wait: .seconds(60)), peer: 2)
        story.disk = .waits
        story.beginsTurns = false
        story.add(addresses(1, from: 0x0A00_0000))
        story.reply(to: call)
        story.add(addresses(20, from: 0x0B00_0000))
        try applyReply(story)
        story.tell(.clientLeft(left.peer))
        let (id, _) = story.ask(.show(addresses(1, from: 0x0B00_0000), wait: .seconds(60)), peer: 3)
        #expect(story.log.answer(to: id) == nil)
        story.disk = .writesAtOnce
        while story.wantsTurn { story.beginTurn() }
        #expect(story.log.answer(to: left) == nil && story.log.answer(to: id) == nil)
    }
}
