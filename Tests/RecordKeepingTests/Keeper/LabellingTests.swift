import Testing

@testable import RecordKeeping

/// Label changes, refreshes, history and reloads.
struct LabellingTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    @Test func `a label change affects only its addresses, and is acknowledged after the commit`() throws {
        let harness = KeeperHarness()
        harness.ask(.add([one, two], tags: ["a", "b"], note: "old"))
        harness.discardEffects()
        harness.disk = .waits
        let (id, _) = harness.ask(
            .label([one], LabelChange(isPinned: true, addTags: ["c"], removeTags: ["a"], note: "new")))
        harness.expect(.commit([.put(one)]))
        harness.write()
        harness.expect(.answer(id, .labelled(1)))
        let watch = try #require(harness.show(one)?.entry.watch)
        #expect(watch == Watch(byClient: true, isPinned: true, tags: ["b", "c"], note: "new"))
        #expect(harness.show(two)?.entry.watch?.note == "old")
        harness.disk = .writesAtOnce
        let (again, _) = harness.ask(.label([one, two], LabelChange(isPinned: true, note: "new")))
        // Only the second address changes.
        harness.expect(.commit([.put(two)]), .answer(again, .labelled(1)))
        let (away, _) = harness.ask(.label([one], LabelChange(note: "")))
        harness.expect(.commit([.put(one)]), .answer(away, .labelled(1)))
        #expect(harness.show(one)?.entry.watch?.note == nil)
    }

    @Test func `a label change applies to all of its addresses or to none`() {
        let harness = KeeperHarness()
        harness.add([one])
        harness.discardEffects()
        let (id, _) = harness.ask(.label([one, two], LabelChange(isPinned: true)))
        harness.expect(.answer(id, .refused(.notWatched(two))))
        #expect(harness.show(one)?.entry.watch?.isPinned == false)
        let many = Set((0...Limits.tagsPerEntry).map { "t\($0)" })
        let (tags, _) = harness.ask(.label([one], LabelChange(addTags: many)))
        harness.expect(.answer(tags, .refused(.tooMany(limit: Limits.tagsPerEntry, .tagsPerEntry))))
        let (user, _) = harness.ask(.label([one], LabelChange(isPinned: true)), asAdministrator: false)
        harness.expect(.answer(user, .refused(.permissionDenied)))
    }

    @Test func `label changes do not postpone the call for an address that is due`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        for number in 1...2 {
            harness.pass(Limits.gather * 2 / 5)
            let (id, _) = harness.ask(.label([one], LabelChange(note: "\(number)")))
            harness.expect(.commit([.put(one)]), .answer(id, .labelled(1)))
        }
        harness.pass(Limits.gather / 5)
        harness.expect(.commit([.health]), .call([one], .single))
    }

    // MARK: Refresh

    @Test func `a refresh leaves fresh records alone, and retries failed ones at once`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: [.timer], of: one)
        harness.add([two])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.call([two], .single))
        try harness.failProvider(call, .unreachable)
        harness.expect(.resolve, .commit([.health, .outage]))
        let (id, _) = harness.ask(.refresh(nil))
        harness.expect(.answer(id, .refreshing(1, fresh: 1)))
        harness.pass(Limits.gather)
        // The backoff is skipped.
        harness.expect(.call([two], .single))
    }

    @Test func `only administrators can refresh, and only watched addresses`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        let (user, _) = harness.ask(.refresh(nil), asAdministrator: false)
        harness.expect(.answer(user, .refused(.permissionDenied)))
        let (id, _) = harness.ask(.refresh([one, two]))
        harness.expect(.answer(id, .refused(.notWatched(two))))
    }

    @Test func `a refresh does not call a provider that has refused`() throws {
        let harness = KeeperHarness(ignoring: [.timer])
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        try harness.failProvider(call, .throttled)
        harness.expect(.commit([.health, .outage]))
        let (id, _) = harness.ask(.refresh([one]))
        harness.expect(.answer(id, .refreshing(1, fresh: 0)))
        harness.pass(Limits.gather)
    }

    // MARK: History

    @Test func `history is read for watched addresses, and refused for others`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        let (other, _) = harness.ask(.history(of: two, limit: 5))
        harness.expect(.answer(other, .refused(.notWatched(two))))
        let (id, effects) = harness.ask(.history(of: one, before: 9, limit: 5))
        #expect(effects == [.readChanges(id, ChangeQuery(addresses: [one], before: 9, limit: 5))])
        harness.expect(.reading(id))
        let change = PublishedEvent(seq: 3, at: harness.now.wall, kind: .changed, address: one)
        harness.handle(.changesRead(id, ChangePage([change])))
        harness.expect(.answer(id, .changes(ChangePage([change]))))
        let (bad, _) = harness.ask(.history(of: one, limit: 5))
        harness.expect(.reading(bad))
        harness.handle(.unreadable(bad, "broken"))
        harness.expect(.answer(bad, .refused(.storeFailed("broken"))))
    }

    // MARK: Reload

    @Test func `a reload returns its changes after they are on disk`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 10)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        harness.discardEffects()
        let (id, effects) = harness.ask(.reload(isForced: false))
        #expect(effects == [.readLists(id, isForced: false)])
        harness.expect(.reading(id))
        harness.disk = .waits
        let all = addresses(30)
        let lines = all.map { ListedAddress(address: $0) }
        harness.handle(.listsRead(ListReading(lines, for: id, linesPerPortion: 10)))
        for first in [0, 10, 20] {
            harness.expect(.commit(.adding(all[first..<first + 10])))
            harness.write()
        }
        harness.expect(.commit(.removing([one])))
        harness.write()
        harness.expect(.answer(id, .reloaded(added: 30, removed: 1)))
        let (user, _) = harness.ask(.reload(isForced: false), asAdministrator: false)
        harness.expect(.answer(user, .refused(.permissionDenied)))
    }

    @Test func `a reload is refused at once when the disk fails, and its lists are applied later`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 10)
        harness.disk = .waits
        harness.add([two])
        harness.discardEffects()
        harness.failToWrite()
        harness.discardEffects()
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(id))
        let all = addresses(30)
        let lines = all.map { ListedAddress(address: $0) }
        harness.handle(.listsRead(ListReading(lines, for: id, linesPerPortion: 10)))
        let first = EffectOutline.commit([.hasFileEntries(true)] + .adding(all[..<10]) + [.health])
        harness.expect(first)
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"), .answer(id, .refused(.storeFailed("disk full"))))
        #expect(harness.commit == nil, "the next attempt is delayed")
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        harness.expect(
            first, .logStoreRecovery, .commit(.adding(all[10..<20])), .commit(.adding(all[20...])),
            .commit([.health]), .call(all, .batch))
        #expect(harness.keeper.tally.watched == 30)
    }

    @Test func `a reload reports invalid lines, and applies the others`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(id))
        let reading = ListReading(
            [ListedAddress(address: one)], problems: ["line 3 of x: bad", "line 4 of x"], for: id)
        let message =
            "reloaded with errors: line 3 of x: bad (and 1 more, see the journal); "
            + "the rest was applied: 1 added, 0 removed"
        harness.handle(.listsRead(reading))
        harness.expect(
            .commit([.hasFileEntries(true)] + .adding([one]) + [.history]),
            .answer(id, .refused(.reloadFailed(message))))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
        let (none, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(none))
        harness.handle(.listsUnreadable(none, "no file"))
        harness.expect(.answer(none, .refused(.reloadFailed("no file"))))
    }
}
