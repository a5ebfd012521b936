import Testing

@testable import RecordKeeping

/// Long lists are read in portions, with other work between the turns, which the tests count but do not state.
@Suite struct LongListTests {
    private let one = IPAddress(v4: 0x0901_0101)
    private let two = IPAddress(v4: 0x0902_0202)

    private func lines(_ addresses: [IPAddress]) -> [ListedAddress] {
        addresses.map { ListedAddress(address: $0) }
    }

    /// The lines of each turn, if there is no other work.
    private func portions(_ listed: [IPAddress]) -> [[IPAddress]] {
        stride(from: 0, to: listed.count, by: Limits.changesPerTurn).map {
            Array(listed[$0..<min($0 + Limits.changesPerTurn, listed.count)])
        }
    }

    @Test func `unchanged lines are read in many turns`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let listed = addresses(20_000)
        harness.handle(.listsRead(ListReading(lines(listed))))
        harness.discardEffects()
        #expect(harness.keeper.tally.watched == 20_000)
        harness.beginsTurns = false
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(id))
        harness.handle(.listsRead(ListReading(lines(listed), for: id)))
        #expect(1 + harness.finishTurns().count >= 20_000 / Limits.changesPerTurn)
        harness.expect(.answer(id, .reloaded(added: 0, removed: 0)))
    }

    @Test func `a commit contains at most one turn of lines`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let listed = addresses(20_000)
        harness.handle(.listsRead(ListReading(lines(listed))))
        let portions = portions(listed)
        harness.expect(
            [
                .commit([.hasFileEntries(true)] + .adding(portions[0]) + [.history]),
                .commit(.adding(portions[1]) + [.health]), .call(addresses(100), .batch),
            ] + portions[2...].map { .commit(.adding($0)) })
        #expect(harness.keeper.tally.watched == 20_000)
    }

    @Test func `changes and replies do not wait for the rest of a long list`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        harness.disk = .waits
        let listed = addresses(100_000)
        let portions = portions(listed)
        harness.handle(.listsRead(ListReading(lines(listed))))
        harness.expect(.commit([.hasFileEntries(true)] + .adding(portions[0])))
        let (id, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.reply(to: call)
        harness.write()
        // The commit in flight has lines of the list; the next has the change and the reply.
        harness.expect(
            .commit(.adding([two]) + .records(of: [one], cohort: 1) + .adding(portions[1]) + [.health]))
        harness.write()
        harness.expect(
            .call(addresses(100), .batch), .answer(id, .added(1, already: 0)), .commit(.adding(portions[2])))
        #expect(harness.show(one)?.state == .fresh)
        #expect(harness.keeper.tally.watched < 10_000)
    }

    @Test func `a long list progresses while every commit contains changes by clients`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.disk = .waits
        let listed = addresses(10_000)
        harness.handle(.listsRead(ListReading(lines(listed))))
        harness.expect(.commit([.hasFileEntries(true)] + .adding(portions(listed)[0]) + [.history]))
        var answer: [EffectOutline] = []
        for (number, address) in addresses(20, from: 0x0900_0000).enumerated() {
            let (id, _) = harness.ask(.add([address], tags: [], note: nil))
            harness.write()
            let lines = listed.dropFirst((number + 1) * Limits.changesPerTurn).prefix(Limits.changesPerTurn)
            // The second commit reserves the first call.
            let call: [EffectOutline] = number == 1 ? [.call(addresses(100), .batch)] : []
            let commit = EffectOutline.commit(.adding([address] + lines) + (number == 0 ? [.health] : []))
            harness.expect(call + answer + [commit])
            answer = [.answer(id, .added(1, already: 0))]
        }
        #expect(harness.keeper.tally.watched > 10_000)
    }

    @Test func `shutdown does not wait for unread lines`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.disk = .waits
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(id))
        harness.handle(.listsRead(ListReading(lines(addresses(200_000)), for: id)))
        harness.expect(.commit([.hasFileEntries(true)] + .adding(addresses(2_000)) + [.history]))
        harness.handle(.terminating)
        harness.expect(.answer(id, .refused(.storeFailed("the daemon is stopping"))))
        harness.write()
        harness.expect(.finish)
        #expect(harness.keeper.tally.watched > 0)
    }

    @Test func `a reading that arrives during shutdown changes nothing`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(id))
        harness.handle(.terminating)
        harness.expect(.answer(id, .refused(.storeFailed("the daemon is stopping"))))
        #expect(harness.handle(.listsRead(ListReading(lines(addresses(10)), for: id))).isEmpty)
        harness.reply(to: call)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]), .finish)
    }

    @Test(arguments: [10_000, 40_000]) func `the cost of removing lines is linear`(count: Int) {
        // The size of each commit depends on the work left over for the turn.
        let harness = KeeperHarness(ignoring: .upkeep.union([.commit]))
        harness.handle(.listsRead(ListReading(lines(addresses(count) + [one]))))
        harness.discardEffects()
        harness.beginsTurns = false
        let turns = [harness.handle(.listsRead(ListReading(lines([one]))))] + harness.finishTurns()
        let writes = turns.flatMap { $0 }.commits.flatMap(\.writes)
        #expect(WriteOutline.outlines(of: writes) == .removing(addresses(count)))
        #expect(harness.keeper.tally.watched == 1)
        // Each entry is found, removed and published.
        #expect(turns.count <= 5 * count / Limits.changesPerTurn + 6)
    }

    @Test func `lines whose commit fails are applied later`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.disk = .waits
        let portions = portions(addresses(5_000))
        harness.handle(.listsRead(ListReading(lines(addresses(5_000)))))
        harness.expect(.commit([.hasFileEntries(true)] + .adding(portions[0]) + [.history]))
        harness.write()
        harness.expect(.commit(.adding(portions[1]) + [.health]))
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"))
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        // The call is reserved again.
        harness.expect(
            .commit(.adding(portions[1]) + [.health]), .logStoreRecovery, .commit(.adding(portions[2]) + [.health]),
            .call(addresses(100), .batch))
        #expect(harness.keeper.tally.watched == 5_000)
    }
}
