import Testing

@testable import RecordKeeping

/// A reply whose elements repeat the stored answers, and the removal of one of its addresses in the same commit.
@Suite struct RepeatedRemovalTests {
    private let all = addresses(8)
    private let one = addresses(8)[0]
    private let new = addresses(1, from: 0x0200_0000)[0]

    /// The changes per turn. From 11 on, a removal after the reply is in the same commit, and from 5 on, a removal
    /// before the reply. Below 2,000, the commit is applied in portions, which end at various entries.
    private static let turns = [4, 5, 6, 7, 11, 12, 13, 16, 2_000]

    /// The order of the removal and the reply, and the age of the record at that time.
    enum Case: CaseIterable {
        /// The record was refreshed by the reply, and stays as that of a lookup.
        case fresh
        /// The reply waited for the database for longer than the interval.
        case expired
        /// The removal precedes the reply, when the record is still the expired one.
        case removedFirst
    }

    /// Returns a keeper that is writing a commit with a label, and whose next commit contains the reply and the removal
    /// of the first address, as far as the turn allows.
    private func harness(_ kind: Case, changesPerTurn: Int) throws -> KeeperHarness {
        let harness = KeeperHarness(ignoring: .all, settings: .shortInterval, changesPerTurn: changesPerTurn)
        harness.add(all)
        harness.reply(to: try #require(harness.pass(Limits.gather).calls.first))
        let call = try #require(harness.pass(.seconds(60) + Limits.gather).calls.first)
        #expect(call.addresses == all)
        harness.disk = .waits
        harness.ask(.label([all[7]], LabelChange(note: "first")))
        #expect(harness.commit != nil)
        if kind == .removedFirst { harness.ask(.remove([one])) }
        harness.repeatAnswers(to: call)
        if kind == .expired { harness.pass(.seconds(61)) }
        if kind != .removedFirst { harness.ask(.remove([one])) }
        return harness
    }

    /// Completes the pending commit and all commits that follow.
    private func finish(_ harness: KeeperHarness) {
        harness.disk = .writesAtOnce
        harness.beginsTurns = true
        harness.write()
        harness.beginTurn()
        #expect(harness.keeper.commitQueue.isIdle)
    }

    private func expectRemoved(_ kind: Case, _ harness: KeeperHarness) throws {
        for address in all.dropFirst() {
            let view = try #require(harness.show(address))
            #expect(view.entry.scan?.answer == .record(.example) && view.entry.watch != nil)
            #expect(view.state == (kind == .expired ? .stale : .fresh))
        }
        let index = harness.keeper.slots.index(of: one)
        #expect((index != nil) == (kind == .fresh))
        #expect(harness.keeper.tally.watched == 7)
        // The removed record belongs to the cohort of the others, or to none.
        #expect(Set(harness.holders.values) == [kind == .fresh ? 8 : 7])
    }

    @Test(arguments: Case.allCases, turns)
    func `a removal in the commit of a reply leaves the other records with their new time`(
        kind: Case, changesPerTurn: Int
    ) throws {
        let harness = try harness(kind, changesPerTurn: changesPerTurn)
        let repliedAt = harness.now.advanced(by: kind == .expired ? .seconds(-61) : .zero)
        finish(harness)
        try expectRemoved(kind, harness)
        for address in all.dropFirst() { #expect(harness.cohort(of: address)?.at == repliedAt) }
        // The removed address is not called again, and the others are called once in the next interval.
        let calls = harness.pass(.seconds(60) + Limits.gather).calls
        #expect(calls.flatMap(\.addresses).filter { $0 == one }.isEmpty)
        if kind != .expired { #expect(calls.flatMap(\.addresses) == Array(all.dropFirst())) }
        #expect(harness.keeper.slots.index(of: one) == nil)
    }

    @Test func `with enough changes per turn, both are in one commit`() throws {
        let reply = [WriteOutline.cohort(1)]
        let lookup: [WriteOutline] = [.remove(one), .put(one, cohort: 1), .event(.removed, one)]
        let moved = [WriteOutline.cohort(2), .move((2...8).map { $0 }, to: 2)]
        let expected: [Case: [WriteOutline]] = [
            .fresh: reply + lookup + [.health], .expired: reply + .removing([one]) + [.health],
            .removedFirst: .removing([one]) + moved + [.health],
        ]
        for kind in Case.allCases {
            let harness = try harness(kind, changesPerTurn: 11)
            harness.write()
            #expect(harness.commit.map { WriteOutline.outlines(of: $0.writes) } == expected[kind])
        }
    }

    @Test(arguments: Case.allCases, turns)
    func `a commit that fails refuses the removal, and the reply is written later`(kind: Case, changesPerTurn: Int)
        throws
    {
        let harness = try harness(kind, changesPerTurn: changesPerTurn)
        harness.write()
        #expect(harness.commit != nil)
        for _ in 0..<3 {
            harness.failToWrite()
            #expect(harness.keeper.tally.watched == 8)
            #expect(harness.holders == [1: 8])
            harness.pass(.seconds(10))
            #expect(harness.commit != nil)
        }
        finish(harness)
        #expect(harness.keeper.tally.watched == 8)
        #expect(Array(harness.holders.values) == [8])
        for address in all { #expect(harness.show(address)?.entry.scan?.answer == .record(.example)) }
        // The removal that is asked again is in the first commit that succeeds.
        let (again, effects) = harness.ask(.remove([one]))
        #expect(effects.answer(to: again) == .removed(1))
        #expect(harness.keeper.tally.watched == 7)
    }

    @Test(arguments: Case.allCases, turns)
    func `a removal during the backoff is in the commit of the repeated reply`(kind: Case, changesPerTurn: Int) throws {
        let harness = try harness(kind, changesPerTurn: changesPerTurn)
        harness.write()
        harness.failToWrite()
        harness.ask(.remove([one]))
        finish(harness)
        #expect(harness.keeper.tally.watched == 7)
        for address in all.dropFirst() { #expect(harness.show(address)?.entry.watch != nil) }
        #expect(Set(harness.holders.values).isSubset(of: [7, 8]))
    }

    @Test(arguments: [Case.expired, .removedFirst], turns.filter { $0 >= 11 })
    func `a request that waits for the removed address gets the record of a new lookup`(
        kind: Case, changesPerTurn: Int
    ) throws {
        let harness = try harness(kind, changesPerTurn: changesPerTurn)
        let (id, _) = harness.ask(.show([one], wait: .seconds(30)))
        finish(harness)
        #expect(harness.log.answer(to: id) == nil)
        harness.pass(Limits.gather)
        let lookup = try #require(harness.log.calls.last { $0.addresses.contains(one) })
        harness.reply(to: lookup, .inBonn)
        guard case .entries(let views)? = harness.log.answer(to: id) else {
            Issue.record("the request is not answered")
            return
        }
        #expect(views.map(\.state) == [.fresh] && views[0].entry.scan?.answer == .record(.inBonn))
    }

    // MARK: Slots

    /// A lookup begins after each possible number of turns, so that it gets the slot of the removed entry in each stage
    /// of applying the commit.
    @Test(arguments: [Case.expired, .removedFirst], turns)
    func `a slot that is reused while the commit is applied belongs to its new entry`(kind: Case, changesPerTurn: Int)
        throws
    {
        var reused = 0
        for turnsBefore in 0..<40 {
            let harness = try harness(kind, changesPerTurn: changesPerTurn)
            let slot = try #require(harness.keeper.slots.index(of: one))
            harness.write()
            harness.beginsTurns = false
            while harness.keeper.slots.index(of: one) != nil, harness.commit != nil || harness.wantsTurn {
                if harness.commit != nil { harness.write() } else { harness.beginTurn() }
            }
            #expect(harness.keeper.slots.index(of: one) == nil)
            for _ in 0..<turnsBefore where harness.wantsTurn { harness.beginTurn() }
            let isLast = !harness.wantsTurn && harness.commit == nil
            let (id, _) = harness.ask(.show([new], wait: .zero))
            #expect(harness.log.answer(to: id) != nil)
            if harness.keeper.slots.index(of: new) == slot { reused += 1 }
            finish(harness)
            try expectRemoved(kind, harness)
            let index = try #require(harness.keeper.slots.index(of: new), "the lookup is not lost")
            #expect(harness.keeper.slots.peek(index).cohort == 0)
            harness.pass(Limits.gather)
            let lookup = try #require(harness.log.calls.first { $0.addresses.contains(new) })
            harness.reply(to: lookup, .inBonn)
            #expect(harness.show(new)?.entry.scan?.answer == .record(.inBonn))
            if isLast { break }
        }
        #expect(reused > 0)
    }
}
