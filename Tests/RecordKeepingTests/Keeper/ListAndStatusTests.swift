import Testing

@testable import RecordKeeping

/// Readings of the lists, the status, and shutdown.
@Suite struct ListAndStatusTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)
    private let three = IPAddress(v4: 0x0909_0909)

    @Test func `an address that leaves its file leaves the list, unless a client has added it`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let four = IPAddress(v4: 0x0404_0404)
        harness.handle(.listsRead(ListReading([one, two, three].map { ListedAddress(address: $0, tags: ["f"]) })))
        harness.expect(.commit([.hasFileEntries(true)] + .adding([one, two, three]) + [.history]))
        let (added, _) = harness.ask(.add([two, four], tags: [], note: nil))
        harness.expect(.commit([.put(two)] + .adding([four])), .answer(added, .added(1, already: 1)))
        harness.handle(.listsRead(ListReading([ListedAddress(address: three)])))
        harness.expect(.commit(.removing([one]) + [.put(two)]))
        #expect(harness.show(one)?.entry.watch == nil)
        #expect(harness.show(two)?.entry.watch?.byClient == true)
        #expect(harness.show(three)?.entry.watch?.byFile == true)
        #expect(harness.show(four)?.entry.watch?.byFile == false)
        let (id, _) = harness.ask(.remove([three]))
        // The address is still in a file.
        harness.expect(.answer(id, .removed(0, staying: [three])))
    }

    @Test func `a line that is added and removed before it is committed has no effect`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.disk = .waits
        harness.handle(.listsRead(ListReading([ListedAddress(address: two)])))
        harness.expect(.commit([.hasFileEntries(true)] + .adding([two]) + [.history]))
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        harness.handle(.listsRead(ListReading([ListedAddress(address: three)])))
        harness.write()
        harness.expect(.commit(.adding([three]) + .removing([two])))
        harness.write()
        #expect(harness.show(one)?.entry.watch == nil)
        #expect(harness.show(two)?.entry.watch == nil)
        #expect(harness.show(three)?.entry.watch?.byFile == true)
    }

    @Test func `more lines than fit in one commit can leave the list in one reading`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 10)
        let many = addresses(30)
        let lines = (many + [one]).map { ListedAddress(address: $0) }
        harness.handle(.listsRead(ListReading(lines, linesPerPortion: 10)))
        harness.expect(
            .commit([.hasFileEntries(true)] + .adding(many[..<10]) + [.history]), .commit(.adding(many[10..<20])),
            .commit(.adding(many[20...])), .commit(.adding([one])))
        #expect(harness.keeper.tally.watched == 31)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        // The rest of a turn that applies one commit prepares the next.
        let portions = [0..<8, 8..<12, 12..<16, 16..<20, 20..<24, 24..<28, 28..<30]
        harness.expect(portions.map { .commit(.removing(many[$0])) })
        #expect(harness.keeper.tally.watched == 1)
    }

    @Test func `an incomplete reading removes no address`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        harness.expect(.commit([.hasFileEntries(true)] + .adding([one]) + [.history]))
        harness.handle(.listsRead(ListReading([ListedAddress(address: two)], isComplete: false)))
        harness.expect(.commit(.adding([two])))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
        #expect(harness.show(two)?.entry.watch?.byFile == true)
    }

    /// Returns the reply to a `Status` call. The reply needs no expectation.
    private func status(_ harness: KeeperHarness) -> StatusView? {
        let (id, effects) = harness.ask(.status)
        harness.consume { if case .answer(id, .status) = $0 { true } else { false } }
        guard case .status(let status)? = effects.answer(to: id) else { return nil }
        return status
    }

    @Test func `after a refusal without a time, no requests are reported as left before the next attempt`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let first = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        harness.reply(to: first, quota: ReportedQuota(remaining: 13, resetsIn: .seconds(2)))
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]))
        harness.pass(.seconds(4))
        harness.add([two])
        harness.discardEffects()
        let second = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([two], .single))
        harness.fail(second, .throttled)
        harness.expect(.commit([.event(.throttled), .health]), .log(.throttled))
        let quota = try #require(status(harness)?.provider.quotas.first { $0.endpoint == second.endpoint })
        #expect(quota.limit == 14 && quota.remaining == 0)
        #expect(try #require(quota.resetsAt) > harness.now.wall)
    }

    @Test func `the status counts entries by state`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        harness.add([two, try IPAddress("10.0.0.1")])
        harness.discardEffects()
        let status = try #require(self.status(harness))
        #expect(status.counts.watched == 3 && status.counts.cached == 0)
        #expect(status.counts.byState[.fresh] == 1 && status.counts.byState[.empty] == 1)
        #expect(status.counts.byState[.loading] == 1)
        #expect(status.due == 1 && status.provider.state == .ok && status.isOnline)
    }

    @Test func `the load is the share of the quota that the watch list needs`() throws {
        let harness = KeeperHarness(settings: Settings())
        harness.add(addresses(7_725))
        harness.discardEffects()
        #expect(try #require(status(harness)).load == 1.0)
    }

    // MARK: Shutdown

    /// Returns a harness with a call in flight for a watched address.
    private func harnessWithCall() throws -> (KeeperHarness, Call) {
        let harness = KeeperHarness()
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        return (harness, call)
    }

    @Test func `shutdown answers waiting callers, and ends after the calls in flight`() throws {
        let harness = KeeperHarness()
        let (id, _) = harness.ask(.show([one], wait: .seconds(60)))
        harness.expect(.timer(in: Limits.gather))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .history]), .timer(in: .seconds(60) - Limits.gather), .call([one], .single))
        harness.handle(.terminating)
        harness.expect(.entries(id, [.loading]), .timer(in: .seconds(3)))
        harness.reply(to: call)
        harness.expect(
            .commit(.records(of: [one], cohort: 1) + [.health]), .status(watched: 0, .ok), .finish, .stopTimer)
    }

    @Test func `shutdown cancels a call that hangs`() throws {
        let (harness, call) = try harnessWithCall()
        harness.handle(.terminating)
        harness.expect(.timer(in: .seconds(3)))
        harness.pass(.seconds(4))
        harness.expect(.cancel(call.id))
        harness.fail(call, .offline)
        harness.expect(.finish)
    }

    @Test func `changes are refused during shutdown, so that the daemon ends`() throws {
        let (harness, call) = try harnessWithCall()
        harness.handle(.terminating)
        harness.expect(.timer(in: .seconds(3)))
        for body: Request.Body in [
            .add([two], tags: [], note: nil), .remove([one]), .label([one], LabelChange()), .reload(isForced: false),
        ] {
            let (id, _) = harness.ask(body)
            harness.expect(.answer(id, .refused(.storeFailed("the daemon is stopping"))))
        }
        harness.reply(to: call)
        harness.expect(
            .commit(.records(of: [one], cohort: 1) + [.health]), .status(watched: 1, .ok), .finish, .stopTimer)
    }
}
