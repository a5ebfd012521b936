import Testing

@testable import RecordKeeping

/// Refreshes stop being urgent when the clients that wait for them have their replies. After each event, the harness
/// checks the keeper's invariants, which compare the queue of each due address with the waiting clients.
@Suite struct AwaitedRefreshTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0100_0000)

    private func states(_ answer: Response?) -> [EntryState]? {
        if case .entries(let views)? = answer { views.map(\.state) } else { nil }
    }

    @Test(arguments: [true, false])
    func `a client waits for the next record if its record expires before it is on disk`(isWatched: Bool) throws {
        let harness = KeeperHarness(ignoring: .all, settings: .shortInterval)
        if isWatched { harness.add([one]) }
        let (request, effects) = harness.ask(.show([one], wait: .seconds(600)))
        let call = try #require((effects + harness.pass(Limits.gather)).calls.first)
        harness.disk = .waits
        harness.reply(to: call)
        harness.pass(harness.keeper.settings.interval * 2)
        harness.disk = .writesAtOnce
        let next = harness.write()
        #expect(next.answer(to: request) == nil)
        let again = try #require((next + harness.pass(Limits.gather)).calls.first)
        #expect(states(harness.reply(to: again).answer(to: request)) == [.fresh])
    }

    @Test func `a refresh is not urgent after a failing provider has answered its client`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one, settings: .shortInterval)
        let call = try harness.expireRecords()
        let (request, _) = harness.ask(.show([one], wait: .seconds(600)))
        #expect(try harness.failProvider(call, .rejected).answer(to: request) != nil)
        #expect(harness.keeper.due.counts == RankCounts(background: 1))
    }

    @Test func `a refresh is not urgent after a failing provider, if its client still waits for a lookup`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one, settings: .shortInterval)
        let call = try harness.expireRecords()
        let (request, _) = harness.ask(.show([one, two], wait: .seconds(600)))
        harness.fail(call, .rejected)
        let other = try #require(harness.pass(Limits.gather).calls.first)
        #expect(harness.fail(other, .rejected).answer(to: request) == nil || other.addresses.contains(two))
        #expect(harness.keeper.due.counts.urgent == 0)
    }
}
