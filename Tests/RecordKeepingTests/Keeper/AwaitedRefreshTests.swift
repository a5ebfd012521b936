import Testing

@testable import RecordKeeping

/// Refreshes stop being urgent when the clients that wait for them have their replies. After each event, the harness
/// checks the keeper's invariants, which compare the queue of each due address with the waiting clients.
@Suite struct AwaitedRefreshTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0100_0000)

    @Test func `a refresh is not urgent if its record expires before the commit that answers the client`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one, settings: .shortInterval)
        let call = try harness.expireRecords()
        let (request, _) = harness.ask(.show([one], wait: .seconds(600)))
        harness.disk = .waits
        harness.reply(to: call)
        harness.pass(harness.keeper.settings.interval * 2)
        #expect(harness.write().answer(to: request) != nil)
        #expect(harness.keeper.due.counts == RankCounts(background: 1))
    }

    @Test func `a refresh is not urgent after a failing provider has answered its client`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one, settings: .shortInterval)
        let call = try harness.expireRecords()
        let (request, _) = harness.ask(.show([one], wait: .seconds(600)))
        #expect(try harness.failProvider(call, .rejected).answer(to: request) != nil)
        #expect(harness.keeper.due.counts == RankCounts(background: 1))
    }

    @Test func `a refresh is not urgent if its client still waits for another address`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one, settings: .shortInterval)
        let call = try harness.expireRecords()
        harness.disk = .waits
        let (request, _) = harness.ask(.show([one, two], wait: .seconds(600)))
        harness.reply(to: call)
        harness.pass(harness.keeper.settings.interval * 2)
        #expect(harness.write().answer(to: request) == nil, "it waits for \(two)")
        #expect(harness.keeper.due.counts == RankCounts(background: 1))
    }
}
