import Testing

@testable import RecordKeeping

/// Readings of the lists, the status, and shutdown.
@Suite struct ListAndStatusTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)
    private let three = IPAddress(v4: 0x0909_0909)

    @Test func `an address that leaves its file leaves the list, unless a client has added it`() throws {
        let story = Story()
        let four = IPAddress(v4: 0x0404_0404)
        story.tell(.listsRead(ListReading([one, two, three].map { ListedAddress(address: $0, tags: ["f"]) })))
        story.add([two, four])
        story.tell(.listsRead(ListReading([ListedAddress(address: three)])))
        #expect(story.show(one)?.entry.watch == nil)
        #expect(story.show(two)?.entry.watch?.byClient == true)
        #expect(story.show(three)?.entry.watch?.byFile == true)
        #expect(story.show(four)?.entry.watch?.byFile == false)
        let (id, effects) = story.ask(.remove([three]))
        #expect(effects.answer(to: id) == .removed(0), "it stands in a file")
    }

    @Test func `a line that is added and removed before it is committed has no effect`() throws {
        let story = Story()
        story.disk = .waits
        story.tell(.listsRead(ListReading([ListedAddress(address: two)])))
        story.tell(.listsRead(ListReading([ListedAddress(address: one)])))
        story.tell(.listsRead(ListReading([ListedAddress(address: three)])))
        while story.commit != nil { story.write() }
        #expect(story.show(one)?.entry.watch == nil)
        #expect(story.show(two)?.entry.watch == nil)
        #expect(story.show(three)?.entry.watch?.byFile == true)
    }

    @Test func `more lines than fit in one commit can leave the list in one reading`() throws {
        let story = Story()
        let many = (1...12_000).map { ListedAddress(address: IPAddress(v4: 0x0800_0000 + UInt32($0))) }
        story.tell(.listsRead(ListReading(many + [ListedAddress(address: one)])))
        #expect(story.keeper.tally.watched == 12_001)
        story.tell(.listsRead(ListReading([ListedAddress(address: one)])))
        #expect(story.keeper.tally.watched == 1)
    }

    @Test func `an incomplete reading removes no address`() throws {
        let story = Story()
        story.tell(.listsRead(ListReading([ListedAddress(address: one)])))
        story.tell(.listsRead(ListReading([ListedAddress(address: two)], isComplete: false)))
        #expect(story.show(one)?.entry.watch?.byFile == true)
        #expect(story.show(two)?.entry.watch?.byFile == true)
    }

    private func status(_ story: Story) -> StatusView? {
        let (id, effects) = story.ask(.status)
        guard case .status(let status)? = effects.answer(to: id) else { return nil }
        return status
    }

    @Test func `an exhausted quota is reported as throttled since the last call, not since the last recovery`() throws {
        let story = Story()
        story.add([one])
        let first = try #require(story.pass(Limits.gather).calls.first)
        story.reply(to: first, quota: QuotaTold(remaining: 1, resetsIn: .seconds(60)))
        let wellSince = story.now.wall
        story.pass(.seconds(5))
        var open = story.add(addresses(300)).calls + story.pass(Limits.gather).calls
        while !open.isEmpty {
            open += story.reply(to: open.removeFirst(), quota: QuotaTold(remaining: 0, resetsIn: .seconds(50))).calls
        }
        let lastCallAt = try #require(status(story)?.provider.lastCallAt)
        story.pass(.seconds(5))
        let provider = try #require(status(story)?.provider)
        #expect(provider.state == .throttled)
        #expect(provider.since == lastCallAt && provider.since > wellSince)
        #expect(provider.message?.contains("quota is used up") == true)
    }

    @Test func `after a refusal without a time, no requests are reported as left before the next attempt`() throws {
        let story = Story()
        story.add([one])
        let first = try #require(story.pass(Limits.gather).calls.first)
        story.reply(to: first, quota: QuotaTold(remaining: 13, resetsIn: .seconds(2)))
        story.pass(.seconds(4))
        story.add([two])
        let second = try #require(story.pass(Limits.gather).calls.first)
        story.fail(second, .throttled)
        let quota = try #require(status(story)?.provider.quotas.first { $0.endpoint == second.endpoint })
        #expect(quota.limit == 14 && quota.remaining == 0)
        #expect(try #require(quota.resetsAt) > story.now.wall)
    }

    @Test func `the status counts entries by state`() throws {
        let story = try Story.withRecord(of: one)
        story.add([two, try IPAddress("10.0.0.1")])
        let (id, effects) = story.ask(.status)
        guard case .status(let status)? = effects.answer(to: id) else { return #expect(Bool(false)) }
        #expect(status.counts.watched == 3 && status.counts.cached == 0)
        #expect(status.counts.byState[.fresh] == 1 && status.counts.byState[.empty] == 1)
        #expect(status.counts.byState[.loading] == 1)
        #expect(status.due == 1 && status.provider.state == .ok && status.isOnline)
    }

    @Test func `the load is the share of the quota that the watch list needs`() {
        let story = Story(settings: Settings())
        story.add(addresses(7_725))
        let (id, effects) = story.ask(.status)
        guard case .status(let status)? = effects.answer(to: id) else { return #expect(Bool(false)) }
        #expect(status.load == 1.0)
    }

    @Test func `shutdown answers waiting callers, and ends after the calls in flight`() throws {
        let story = Story()
        let (id, _) = story.ask(.show([one], wait: .seconds(60)))
        let call = try #require(story.pass(Limits.gather).calls.first)
        let effects = story.tell(.terminating)
        #expect(effects.answer(to: id) != nil)
        #expect(!effects.contains(.finish))
        #expect(story.reply(to: call).contains(.finish))
    }

    @Test func `shutdown cancels a call that hangs`() throws {
        let story = Story()
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        story.tell(.terminating)
        #expect(story.pass(.seconds(4)).contains(.cancel(call.id)))
        #expect(story.fail(call, .offline).contains(.finish))
    }

    @Test func `changes are refused during shutdown, so that the daemon ends`() throws {
        let story = Story()
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        story.tell(.terminating)
        for body: Request.Body in [
            .add([two], tags: [], note: nil), .remove([one]), .label([one], LabelChange()), .reload(isForced: false),
        ] {
            let (id, effects) = story.ask(body)
            #expect(effects.answer(to: id) == .refused(.storeFailed("the daemon is stopping")))
        }
        #expect(story.reply(to: call).contains(.finish))
    }
}
