import Testing

@testable import RecordKeeping

/// Label changes, refreshes, history and reloads.
struct LabellingTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    @Test func `a label change affects only its addresses, and is acknowledged after the commit`() throws {
        let story = Story()
        story.ask(.add([one, two], tags: ["a", "b"], note: "old"))
        story.disk = .waits
        let (id, effects) = story.ask(
            .label([one], LabelChange(isPinned: true, addTags: ["c"], removeTags: ["a"], note: "new")))
        #expect(effects.answer(to: id) == nil)
        #expect(story.write().answer(to: id) == .labelled(1))
        let watch = try #require(story.show(one)?.entry.watch)
        #expect(watch == Watch(byClient: true, isPinned: true, tags: ["b", "c"], note: "new"))
        #expect(story.show(two)?.entry.watch?.note == "old")
        story.disk = .writesAtOnce
        let (again, same) = story.ask(.label([one, two], LabelChange(isPinned: true, note: "new")))
        #expect(same.answer(to: again) == .labelled(1), "only two is other than it was")
        let (away, gone) = story.ask(.label([one], LabelChange(note: "")))
        #expect(gone.answer(to: away) == .labelled(1))
        #expect(story.show(one)?.entry.watch?.note == nil)
    }

    @Test func `a label change applies to all of its addresses or to none`() {
        let story = Story()
        story.add([one])
        let (id, effects) = story.ask(.label([one, two], LabelChange(isPinned: true)))
        #expect(effects.answer(to: id) == .refused(.notWatched(two)))
        #expect(story.show(one)?.entry.watch?.isPinned == false)
        let many = Set((0...Limits.tagsPerEntry).map { "t\($0)" })
        let (tags, refused) = story.ask(.label([one], LabelChange(addTags: many)))
        #expect(refused.answer(to: tags) == .refused(.tooMany(limit: Limits.tagsPerEntry)))
        let (user, denied) = story.ask(.label([one], LabelChange(isPinned: true)), asAdministrator: false)
        #expect(denied.answer(to: user) == .refused(.permissionDenied))
    }

    // MARK: Refresh

    @Test func `a refresh leaves fresh records alone, and retries failed ones at once`() throws {
        let story = try Story.withRecord(of: one)
        let call = try #require(story.add([two]).calls.first ?? story.pass(Limits.gather).calls.first)
        story.fail(call, .unreachable)
        story.answerWay(.open)
        let (id, effects) = story.ask(.refresh(nil))
        #expect(effects.answer(to: id) == .refreshing(1, fresh: 1))
        let calls = effects.calls + story.pass(Limits.gather).calls
        #expect(calls.map(\.addresses) == [[two]], "without waiting for the backoff")
    }

    @Test func `only administrators can refresh, and only watched addresses`() throws {
        let story = try Story.withRecord(of: one)
        let (user, denied) = story.ask(.refresh(nil), asAdministrator: false)
        #expect(denied.answer(to: user) == .refused(.permissionDenied))
        let (id, effects) = story.ask(.refresh([one, two]))
        #expect(effects.answer(to: id) == .refused(.notWatched(two)))
    }

    @Test func `a refresh does not call a provider that has refused`() throws {
        let story = Story()
        let call = try #require(story.add([one]).calls.first ?? story.pass(Limits.gather).calls.first)
        story.fail(call, .throttled)
        let (id, effects) = story.ask(.refresh([one]))
        #expect(effects.answer(to: id) == .refreshing(1, fresh: 0))
        #expect((effects + story.pass(Limits.gather)).calls.isEmpty)
    }

    // MARK: History

    @Test func `history is read for watched addresses, and refused for others`() throws {
        let story = try Story.withRecord(of: one)
        let (other, refused) = story.ask(.history(two, before: nil, limit: 5))
        #expect(refused.answer(to: other) == .refused(.notWatched(two)))
        let (id, effects) = story.ask(.history(one, before: 9, limit: 5))
        #expect(effects.contains(.readChanges(id, one, before: 9, limit: 5)))
        let change = Notice(seq: 3, at: story.now.wall, kind: .changed, address: one)
        #expect(story.tell(.changesRead(id, [change])).answer(to: id) == .changes([change]))
        let (bad, _) = story.ask(.history(one, before: nil, limit: 5))
        #expect(story.tell(.unreadable(bad, "broken")).answer(to: bad) == .refused(.storeFailed("broken")))
    }

    // MARK: Reload

    @Test func `a reload returns its changes after they are on disk`() throws {
        let story = Story()
        story.tell(.listsRead(ListReading([ListedAddress(address: one)])))
        let (id, effects) = story.ask(.reload(isForced: false))
        #expect(effects.contains(.readLists(id, isForced: false)))
        story.disk = .waits
        let listed = addresses(12_000).map { ListedAddress(address: $0) }
        #expect(story.tell(.listsRead(ListReading(listed, for: id))).answer(to: id) == nil)
        var answer: Response?
        while story.commit != nil, answer == nil { answer = story.write().answer(to: id) }
        #expect(answer == .reloaded(added: 12_000, removed: 1))
        let (user, denied) = story.ask(.reload(isForced: false), asAdministrator: false)
        #expect(denied.answer(to: user) == .refused(.permissionDenied))
    }

    @Test func `a reload is refused at once when the disk fails, and its lists are applied later`() throws {
        let story = Story()
        story.disk = .waits
        story.add([two])
        story.failToWrite()
        let (id, _) = story.ask(.reload(isForced: false))
        let listed = addresses(30_000).map { ListedAddress(address: $0) }
        story.tell(.listsRead(ListReading(listed, for: id)))
        #expect(story.failToWrite().answer(to: id) == .refused(.storeFailed("disk full")))
        #expect(story.commit == nil, "the next try has its time")
        story.disk = .writesAtOnce
        story.pass(.seconds(61))
        #expect(story.keeper.tally.watched == 30_000)
    }

    @Test func `a reload reports invalid lines, and applies the others`() throws {
        let story = Story()
        let (id, _) = story.ask(.reload(isForced: false))
        let reading = ListReading(
            [ListedAddress(address: one)], problems: ["line 3 of x: bad", "line 4 of x"], for: id)
        let message = "line 3 of x: bad (and 1 more, told in the journal); the rest is taken: 1 added, 0 removed"
        #expect(story.tell(.listsRead(reading)).answer(to: id) == .refused(.reloadFailed(message)))
        #expect(story.show(one)?.entry.watch?.byFile == true)
        let (none, _) = story.ask(.reload(isForced: false))
        #expect(story.tell(.listsUnreadable(none, "no file")).answer(to: none) == .refused(.reloadFailed("no file")))
    }
}
