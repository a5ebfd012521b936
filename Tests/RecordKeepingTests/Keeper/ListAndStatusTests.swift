import Testing

@testable import RecordKeeping

/// Readings of the lists, the status, and shutdown.
@Suite struct ListAndStatusTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)
    private let three = IPAddress(v4: 0x0909_0909)

    @Test func `an address that leaves its file leaves the list, unless a client has added it`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let four = IPAddress(v4: 0x0404_0404)
        harness.handle(.listsRead(ListReading([one, two, three].map { ListedAddress(address: $0, tags: ["f"]) })))
        harness.add([two, four])
        harness.handle(.listsRead(ListReading([ListedAddress(address: three)])))
        #expect(harness.show(one)?.entry.watch == nil)
        #expect(harness.show(two)?.entry.watch?.byClient == true)
        #expect(harness.show(three)?.entry.watch?.byFile == true)
        #expect(harness.show(four)?.entry.watch?.byFile == false)
        let (id, effects) = harness.ask(.remove([three]))
        #expect(effects.answer(to: id) == .removed(0), "the address is still in a file")
    }

    @Test func `a line that is added and removed before it is committed has no effect`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.handle(.listsRead(ListReading([ListedAddress(address: two)])))
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        harness.handle(.listsRead(ListReading([ListedAddress(address: three)])))
        while harness.commit != nil { harness.write() }
        #expect(harness.show(one)?.entry.watch == nil)
        #expect(harness.show(two)?.entry.watch == nil)
        #expect(harness.show(three)?.entry.watch?.byFile == true)
    }

    @Test func `more lines than fit in one commit can leave the list in one reading`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let many = (1...12_000).map { ListedAddress(address: IPAddress(v4: 0x0800_0000 + UInt32($0))) }
        harness.handle(.listsRead(ListReading(many + [ListedAddress(address: one)])))
        #expect(harness.keeper.tally.watched == 12_001)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        #expect(harness.keeper.tally.watched == 1)
    }

    @Test func `an incomplete reading removes no address`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        harness.handle(.listsRead(ListReading([ListedAddress(address: two)], isComplete: false)))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
        #expect(harness.show(two)?.entry.watch?.byFile == true)
    }

    private func status(_ harness: KeeperHarness) -> StatusView? {
        let (id, effects) = harness.ask(.status)
        guard case .status(let status)? = effects.answer(to: id) else { return nil }
        return status
    }

    @Test func `an exhausted quota is reported as throttled since the last call, not since the last recovery`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let first = try #require(harness.pass(Limits.gather).calls.first)
        harness.reply(to: first, quota: ReportedQuota(remaining: 1, resetsIn: .seconds(60)))
        let wellSince = harness.now.wall
        harness.pass(.seconds(5))
        var open = harness.add(addresses(300)).calls + harness.pass(Limits.gather).calls
        while !open.isEmpty {
            open +=
                harness.reply(to: open.removeFirst(), quota: ReportedQuota(remaining: 0, resetsIn: .seconds(50))).calls
        }
        let lastCallAt = try #require(status(harness)?.provider.lastCallAt)
        harness.pass(.seconds(5))
        let provider = try #require(status(harness)?.provider)
        #expect(provider.state == .throttled)
        #expect(provider.since == lastCallAt && provider.since > wellSince)
        #expect(provider.message?.contains("quota is used up") == true)
    }

    @Test func `after a refusal without a time, no requests are reported as left before the next attempt`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let first = try #require(harness.pass(Limits.gather).calls.first)
        harness.reply(to: first, quota: ReportedQuota(remaining: 13, resetsIn: .seconds(2)))
        harness.pass(.seconds(4))
        harness.add([two])
        let second = try #require(harness.pass(Limits.gather).calls.first)
        harness.fail(second, .throttled)
        let quota = try #require(status(harness)?.provider.quotas.first { $0.endpoint == second.endpoint })
        #expect(quota.limit == 14 && quota.remaining == 0)
        #expect(try #require(quota.resetsAt) > harness.now.wall)
    }

    @Test func `the status counts entries by state`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        harness.add([two, try IPAddress("10.0.0.1")])
        let (id, effects) = harness.ask(.status)
        guard case .status(let status)? = effects.answer(to: id) else { return #expect(Bool(false)) }
        #expect(status.counts.watched == 3 && status.counts.cached == 0)
        #expect(status.counts.byState[.fresh] == 1 && status.counts.byState[.empty] == 1)
        #expect(status.counts.byState[.loading] == 1)
        #expect(status.due == 1 && status.provider.state == .ok && status.isOnline)
    }

    @Test func `the load is the share of the quota that the watch list needs`() {
        let harness = KeeperHarness(ignoring: .all, settings: Settings())
        harness.add(addresses(7_725))
        let (id, effects) = harness.ask(.status)
        guard case .status(let status)? = effects.answer(to: id) else { return #expect(Bool(false)) }
        #expect(status.load == 1.0)
    }

    @Test func `shutdown answers waiting callers, and ends after the calls in flight`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let (id, _) = harness.ask(.show([one], wait: .seconds(60)))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        let effects = harness.handle(.terminating)
        #expect(effects.answer(to: id) != nil)
        #expect(!effects.contains(.finish))
        #expect(harness.reply(to: call).contains(.finish))
    }

    @Test func `shutdown cancels a call that hangs`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.handle(.terminating)
        #expect(harness.pass(.seconds(4)).contains(.cancel(call.id)))
        #expect(harness.fail(call, .offline).contains(.finish))
    }

    @Test func `changes are refused during shutdown, so that the daemon ends`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.handle(.terminating)
        for body: Request.Body in [
            .add([two], tags: [], note: nil), .remove([one]), .label([one], LabelChange()), .reload(isForced: false),
        ] {
            let (id, effects) = harness.ask(body)
            #expect(effects.answer(to: id) == .refused(.storeFailed("the daemon is stopping")))
        }
        #expect(harness.reply(to: call).contains(.finish))
    }
}
