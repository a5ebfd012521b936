import Testing

@testable import RecordKeeping

/// Large changes and long lists are handled in portions, with other work between the turns.
@Suite struct TurnTests {
    private static let one = IPAddress(v4: 0x0901_0101)
    private static let two = IPAddress(v4: 0x0902_0202)

    /// Returns a story whose turns the test begins itself.
    private static func storyWithTurns(disk: Story.Disk = .waits) -> Story {
        let story = Story()
        story.beginsTurns = false
        story.disk = disk
        return story
    }

    /// Begins turns until the keeper requests no more.
    ///
    /// - Returns: the effects of each turn.
    private static func turns(_ story: Story) -> [[Effect]] {
        var turns: [[Effect]] = []
        while story.wantsTurn { turns.append(story.beginTurn()) }
        return turns
    }

    private static func lines(_ count: Int, from first: UInt32 = 0x0100_0000) -> [ListedAddress] {
        addresses(count, from: first).map { ListedAddress(address: $0) }
    }

    // MARK: Events for listeners

    @Test func `an event is one effect, whatever the number of listeners`() {
        let story = Story()
        let listeners = (1...20).map { story.ask(.monitor(after: nil, kinds: nil, addresses: nil), peer: $0).0 }
        let effects = story.add(addresses(5_000))
        #expect(effects.count < 5_000 + 200)
        for listener in listeners { #expect(effects.told(to: listener).map(\.seq) == (1...5_000).map { $0 }) }
    }

    @Test func `the number of effects stays small while thousands of changes are published`() {
        let story = Self.storyWithTurns()
        let listeners = (1...20).map { story.ask(.monitor(after: nil, kinds: nil, addresses: nil), peer: $0).0 }
        let (id, _) = story.ask(.add(addresses(10_000), tags: [], note: nil), peer: 99)
        _ = Self.turns(story)
        let events = [story.write()] + Self.turns(story)
        #expect(events.allSatisfy { $0.count <= Limits.changesPerTurn + 5 })
        let effects = events.flatMap { $0 }
        #expect(effects.answer(to: id) == .added(10_000, already: 0))
        for listener in listeners { #expect(effects.told(to: listener).map(\.seq) == (1...10_000).map { $0 }) }
    }

    @Test func `a listener that starts while a change is published receives each event once`() throws {
        let story = Self.storyWithTurns()
        story.ask(.monitor(after: nil, kinds: nil, addresses: nil))
        story.add(addresses(5_000))
        _ = Self.turns(story)
        let kept = (try #require(story.commit)).writes.compactMap { if case .notice(let it) = $0 { it } else { nil } }
        var effects = story.write()
        while story.keeper.ledger.lastSeq == 0 { effects += story.beginTurn() }
        let published = Int(story.keeper.ledger.lastSeq)
        #expect(published < 5_000)
        let (late, _) = story.ask(.monitor(after: 0, kinds: nil, addresses: nil))
        // The disk has all of them.
        var heard = story.tell(.noticesRead(late, NoticePage(Array(kept.prefix(1_000))))).told(to: late)
        heard += story.beginTurn().told(to: late)
        while heard.count < story.keeper.ledger.lastSeq {
            let page = NoticePage(Array(kept.dropFirst(heard.count).prefix(1_000)))
            heard += story.tell(.noticesRead(late, page)).told(to: late)
        }
        heard += Self.turns(story).flatMap { $0 }.told(to: late)
        #expect(heard.map(\.seq) == (1...5_000).map { $0 })
    }

    // MARK: Large changes

    @Test func `a change of 100,000 addresses takes many turns and one commit`() {
        let story = Self.storyWithTurns()
        let (id, first) = story.ask(.add(addresses(100_000), tags: ["t"], note: nil))
        let drafting = [first] + Self.turns(story)
        // Each address is checked in one turn, and changed in a later one.
        #expect(drafting.count >= 2 * 100_000 / Limits.changesPerTurn)
        #expect(drafting.flatMap { $0 }.commits.map { $0.writes.count } == [200_002])
        var before = 0
        var events = [story.write()]
        while story.wantsTurn {
            #expect(story.keeper.tally.watched - before <= Limits.changesPerTurn)
            before = story.keeper.tally.watched
            #expect(events.allSatisfy { $0.answer(to: id) == nil } || before == 100_000)
            events.append(story.beginTurn())
        }
        #expect(story.keeper.tally.watched == 100_000)
        #expect(events.flatMap { $0 }.answer(to: id) == .added(100_000, already: 0))
    }

    @Test func `other requests are answered between the turns of a change, and changes keep their order`() {
        let story = Self.storyWithTurns()
        let (large, _) = story.ask(.add(addresses(20_000), tags: [], note: nil))
        let (small, effects) = story.ask(.remove([addresses(20_000)[19_999]]))
        #expect(effects.answer(to: small) == nil)
        #expect(story.show(Self.one)?.state == .loading)
        story.disk = .writesAtOnce
        let answers = Self.turns(story).flatMap { $0 }.compactMap { effect -> Request.ID? in
            if case .answer(let id, _) = effect { id } else { nil }
        }
        #expect(answers == [large, small])
        #expect(story.keeper.tally.watched == 19_999)
    }

    @Test func `a large change that is refused changes nothing`() {
        let story = Self.storyWithTurns(disk: .writesAtOnce)
        story.add(addresses(10_000))
        _ = Self.turns(story)
        let (id, first) = story.ask(.remove(addresses(10_001)))
        let effects = first + Self.turns(story).flatMap { $0 }
        #expect(effects.answer(to: id) == .refused(.notWatched(addresses(10_001)[10_000])))
        #expect(effects.commits.isEmpty && story.keeper.tally.watched == 10_000)
    }

    @Test func `a large change whose commit fails is refused, and changes nothing`() {
        let story = Self.storyWithTurns()
        let (id, _) = story.ask(.add(addresses(10_000), tags: [], note: nil))
        _ = Self.turns(story)
        #expect(story.failToWrite().answer(to: id) == .refused(.storeFailed("disk full")))
        #expect(story.keeper.tally.watched == 0)
    }

    @Test func `the route state is saved with all events that led to it`() throws {
        let story = Story(changesPerTurn: 1)
        story.disk = .waits
        story.add([Self.one])
        for way: Way in [.none(reason: "no route"), .open] {
            story.tell(.routesChanged)
            story.pass(.seconds(1))
            story.answerWay(way)
        }
        story.write()
        let writes = try #require(story.commit).writes
        let kinds = writes.compactMap { if case .notice(let notice) = $0 { notice.kind } else { nil } }
        #expect(kinds == [.networkLost, .networkRestored])
        #expect(writes.contains(.networkLoss(nil)))
    }

    @Test func `a change is refused when the disk fails, even if much work is repeated before it`() {
        let story = Story(changesPerTurn: 1)
        story.disk = .waits
        story.add([Self.one])
        for way: Way in [.none(reason: "no route"), .open] {
            story.tell(.routesChanged)
            story.pass(.seconds(1))
            story.answerWay(way)
        }
        let (id, _) = story.ask(.add([Self.two], tags: [], note: nil))
        #expect(story.failToWrite().answer(to: id) == .refused(.storeFailed("disk full")))
        let (later, _) = story.ask(.add([Self.two], tags: [], note: nil))
        #expect(story.failToWrite().answer(to: later) == .refused(.storeFailed("disk full")))
        #expect(story.commit == nil, "the next try has its time")
        story.disk = .writesAtOnce
        story.pass(.seconds(61))
        #expect(story.log.announced.count == 2)
        #expect(story.keeper.ledger.isIdle)
    }

    // MARK: Long lists

    @Test func `unchanged lines are read in many turns`() {
        let story = Self.storyWithTurns(disk: .writesAtOnce)
        let listed = Self.lines(20_000)
        story.tell(.listsRead(ListReading(listed)))
        _ = Self.turns(story)
        #expect(story.keeper.tally.watched == 20_000)
        let (id, _) = story.ask(.reload(isForced: false))
        let events = [story.tell(.listsRead(ListReading(listed, for: id)))] + Self.turns(story)
        #expect(events.count >= 20_000 / Limits.changesPerTurn)
        #expect(events.flatMap { $0 }.commits.isEmpty)
        #expect(events.flatMap { $0 }.answer(to: id) == .reloaded(added: 0, removed: 0))
    }

    @Test func `a commit contains at most one turn of lines`() {
        let story = Story()
        let effects = story.tell(.listsRead(ListReading(Self.lines(20_000))))
        #expect(effects.commits.allSatisfy { $0.writes.count <= 2 * Limits.changesPerTurn + 5 })
        #expect(story.keeper.tally.watched == 20_000)
    }

    @Test func `changes and replies do not wait for the rest of a long list`() throws {
        let story = Story()
        story.add([Self.one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        story.disk = .waits
        story.tell(.listsRead(ListReading(Self.lines(100_000))))
        let (id, _) = story.ask(.add([Self.two], tags: [], note: nil))
        story.reply(to: call)
        story.write()
        // The commit in flight has lines of the list; the next has the change and the reply.
        let effects = story.write()
        #expect(effects.answer(to: id) == .added(1, already: 0))
        #expect(story.show(Self.one)?.state == .fresh)
        #expect(story.keeper.tally.watched < 10_000)
    }

    @Test func `a long list progresses while every commit contains changes by clients`() {
        let story = Story()
        story.disk = .waits
        story.tell(.listsRead(ListReading(Self.lines(10_000))))
        for number in 0..<20 {
            story.add([IPAddress(v4: 0x0900_0000 + UInt32(number))])
            story.write()
        }
        #expect(story.keeper.tally.watched > 10_000)
    }

    @Test func `shutdown does not wait for unread lines`() {
        let story = Story()
        story.disk = .waits
        let (id, _) = story.ask(.reload(isForced: false))
        story.tell(.listsRead(ListReading(Self.lines(200_000), for: id)))
        let effects = story.tell(.terminating)
        #expect(effects.answer(to: id) == .refused(.storeFailed("the daemon is stopping")))
        #expect(story.write().contains(.finish))
        #expect(story.keeper.tally.watched > 0)
    }

    @Test func `a reading that arrives during shutdown changes nothing`() throws {
        let story = Story()
        story.add([Self.one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        let (id, _) = story.ask(.reload(isForced: false))
        #expect(story.tell(.terminating).answer(to: id) == .refused(.storeFailed("the daemon is stopping")))
        #expect(story.tell(.listsRead(ListReading(Self.lines(10), for: id))).isEmpty)
        #expect(story.reply(to: call).contains(.finish))
    }

    @Test(arguments: [10_000, 40_000]) func `the cost of removing lines is linear`(count: Int) {
        let story = Self.storyWithTurns(disk: .writesAtOnce)
        story.tell(.listsRead(ListReading(Self.lines(count) + [ListedAddress(address: Self.one)])))
        _ = Self.turns(story)
        story.tell(.listsRead(ListReading([ListedAddress(address: Self.one)])))
        let turns = Self.turns(story).count
        #expect(story.keeper.tally.watched == 1)
        // Each entry is found, removed and published.
        #expect(turns <= 5 * count / Limits.changesPerTurn + 5)
    }

    @Test func `lines whose commit fails are applied later`() {
        let story = Story()
        story.disk = .waits
        story.tell(.listsRead(ListReading(Self.lines(5_000))))
        story.write()
        story.failToWrite()
        story.disk = .writesAtOnce
        story.pass(.seconds(61))
        #expect(story.keeper.tally.watched == 5_000)
    }

    @Test func `large changes that follow one another are committed one by one`() {
        let story = Story(changesPerTurn: 3)
        story.disk = .waits
        _ = story.ask(.add(addresses(1, from: 0x0900_0000), tags: [], note: nil))
        let requests = (0..<4).map { story.ask(.add(addresses(4, from: 0x0a00_0000 + $0 * 16), tags: [], note: nil)).0 }
        var sizes: [Int] = []
        story.disk = .writesAtOnce
        for commit in story.write().commits {
            sizes.append(commit.writes.filter { if case .put = $0 { true } else { false } }.count)
        }
        #expect(sizes == [4, 4, 4, 4], "a commit has one change that takes more than a turn")
        for id in requests { #expect(story.log.answer(to: id) == .added(4, already: 0)) }
    }
}
