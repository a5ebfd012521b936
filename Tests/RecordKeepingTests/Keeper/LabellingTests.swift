import Testing

@testable import RecordKeeping

/// Label changes, refreshes, history and reloads.
struct LabellingTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    @Test func `a label change affects only its addresses, and is acknowledged after the commit`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.ask(.add([one, two], tags: ["a", "b"], note: "old"))
        harness.disk = .waits
        let (id, effects) = harness.ask(
            .label([one], LabelChange(isPinned: true, addTags: ["c"], removeTags: ["a"], note: "new")))
        #expect(effects.answer(to: id) == nil)
        #expect(harness.write().answer(to: id) == .labelled(1))
        let watch = try #require(harness.show(one)?.entry.watch)
        #expect(watch == Watch(byClient: true, isPinned: true, tags: ["b", "c"], note: "new"))
        #expect(harness.show(two)?.entry.watch?.note == "old")
        harness.disk = .writesAtOnce
        let (again, same) = harness.ask(.label([one, two], LabelChange(isPinned: true, note: "new")))
        #expect(same.answer(to: again) == .labelled(1), "only the second address changes")
        let (away, gone) = harness.ask(.label([one], LabelChange(note: "")))
        #expect(gone.answer(to: away) == .labelled(1))
        #expect(harness.show(one)?.entry.watch?.note == nil)
    }

    @Test func `a label change applies to all of its addresses or to none`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let (id, effects) = harness.ask(.label([one, two], LabelChange(isPinned: true)))
        #expect(effects.answer(to: id) == .refused(.notWatched(two)))
        #expect(harness.show(one)?.entry.watch?.isPinned == false)
        let many = Set((0...Limits.tagsPerEntry).map { "t\($0)" })
        let (tags, refused) = harness.ask(.label([one], LabelChange(addTags: many)))
        #expect(refused.answer(to: tags) == .refused(.tooMany(limit: Limits.tagsPerEntry)))
        let (user, denied) = harness.ask(.label([one], LabelChange(isPinned: true)), asAdministrator: false)
        #expect(denied.answer(to: user) == .refused(.permissionDenied))
    }

    // MARK: Refresh

    @Test func `a refresh leaves fresh records alone, and retries failed ones at once`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        let call = try #require(harness.add([two]).calls.first ?? harness.pass(Limits.gather).calls.first)
        harness.fail(call, .unreachable)
        harness.answerRouteCheck(.open)
        let (id, effects) = harness.ask(.refresh(nil))
        #expect(effects.answer(to: id) == .refreshing(1, fresh: 1))
        let calls = effects.calls + harness.pass(Limits.gather).calls
        #expect(calls.map(\.addresses) == [[two]], "the backoff is skipped")
    }

    @Test func `only administrators can refresh, and only watched addresses`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        let (user, denied) = harness.ask(.refresh(nil), asAdministrator: false)
        #expect(denied.answer(to: user) == .refused(.permissionDenied))
        let (id, effects) = harness.ask(.refresh([one, two]))
        #expect(effects.answer(to: id) == .refused(.notWatched(two)))
    }

    @Test func `a refresh does not call a provider that has refused`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let call = try #require(harness.add([one]).calls.first ?? harness.pass(Limits.gather).calls.first)
        harness.fail(call, .throttled)
        let (id, effects) = harness.ask(.refresh([one]))
        #expect(effects.answer(to: id) == .refreshing(1, fresh: 0))
        #expect((effects + harness.pass(Limits.gather)).calls.isEmpty)
    }

    // MARK: History

    @Test func `history is read for watched addresses, and refused for others`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        let (other, refused) = harness.ask(.history(two, before: nil, limit: 5))
        #expect(refused.answer(to: other) == .refused(.notWatched(two)))
        let (id, effects) = harness.ask(.history(one, before: 9, limit: 5))
        #expect(effects.contains(.readChanges(id, one, before: 9, limit: 5)))
        let change = PublishedEvent(seq: 3, at: harness.now.wall, kind: .changed, address: one)
        #expect(harness.handle(.changesRead(id, [change])).answer(to: id) == .changes([change]))
        let (bad, _) = harness.ask(.history(one, before: nil, limit: 5))
        #expect(harness.handle(.unreadable(bad, "broken")).answer(to: bad) == .refused(.storeFailed("broken")))
    }

    // MARK: Reload

    @Test func `a reload returns its changes after they are on disk`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        let (id, effects) = harness.ask(.reload(isForced: false))
        #expect(effects.contains(.readLists(id, isForced: false)))
        harness.disk = .waits
        let listed = addresses(12_000).map { ListedAddress(address: $0) }
        #expect(harness.handle(.listsRead(ListReading(listed, for: id))).answer(to: id) == nil)
        var answer: Response?
        while harness.commit != nil, answer == nil { answer = harness.write().answer(to: id) }
        #expect(answer == .reloaded(added: 12_000, removed: 1))
        let (user, denied) = harness.ask(.reload(isForced: false), asAdministrator: false)
        #expect(denied.answer(to: user) == .refused(.permissionDenied))
    }

    @Test func `a reload is refused at once when the disk fails, and its lists are applied later`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.add([two])
        harness.failToWrite()
        let (id, _) = harness.ask(.reload(isForced: false))
        let listed = addresses(30_000).map { ListedAddress(address: $0) }
        harness.handle(.listsRead(ListReading(listed, for: id)))
        #expect(harness.failToWrite().answer(to: id) == .refused(.storeFailed("disk full")))
        #expect(harness.commit == nil, "the next attempt is delayed")
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        #expect(harness.keeper.tally.watched == 30_000)
    }

    @Test func `a reload reports invalid lines, and applies the others`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let (id, _) = harness.ask(.reload(isForced: false))
        let reading = ListReading(
            [ListedAddress(address: one)], problems: ["line 3 of x: bad", "line 4 of x"], for: id)
        let message =
            "reloaded with errors: line 3 of x: bad (and 1 more, see the journal); "
            + "the rest was applied: 1 added, 0 removed"
        #expect(harness.handle(.listsRead(reading)).answer(to: id) == .refused(.reloadFailed(message)))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
        let (none, _) = harness.ask(.reload(isForced: false))
        #expect(
            harness.handle(.listsUnreadable(none, "no file")).answer(to: none) == .refused(.reloadFailed("no file")))
    }
}
