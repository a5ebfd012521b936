import Testing

@testable import RecordKeeping

/// Large changes and long lists are handled in portions, with other work between the turns.
@Suite struct TurnTests {
    private static let one = IPAddress(v4: 0x0901_0101)
    private static let two = IPAddress(v4: 0x0902_0202)

    /// Returns a harness whose turns the test begins itself.
    private static func harnessWithTurns(disk: KeeperHarness.Disk = .waits) -> KeeperHarness {
        let harness = KeeperHarness(ignoring: .all)
        harness.beginsTurns = false
        harness.disk = disk
        return harness
    }

    /// Begins turns until the keeper requests no more.
    ///
    /// - Returns: the effects of each turn.
    private static func turns(_ harness: KeeperHarness) -> [[Effect]] {
        var turns: [[Effect]] = []
        while harness.wantsTurn { turns.append(harness.beginTurn()) }
        return turns
    }

    private static func lines(_ count: Int, from first: UInt32 = 0x0100_0000) -> [ListedAddress] {
        addresses(count, from: first).map { ListedAddress(address: $0) }
    }

    // MARK: Events for listeners

    @Test func `an event is one effect, whatever the number of listeners`() {
        let harness = KeeperHarness(ignoring: .all)
        let listeners = (1...20).map { harness.ask(.monitor(after: nil, kinds: nil, addresses: nil), peer: $0).0 }
        let effects = harness.add(addresses(5_000))
        #expect(effects.count < 5_000 + 200)
        for listener in listeners { #expect(effects.reported(to: listener).map(\.seq) == (1...5_000).map { $0 }) }
    }

    @Test func `the number of effects stays small while thousands of changes are published`() {
        let harness = Self.harnessWithTurns()
        let listeners = (1...20).map { harness.ask(.monitor(after: nil, kinds: nil, addresses: nil), peer: $0).0 }
        let (id, _) = harness.ask(.add(addresses(10_000), tags: [], note: nil), peer: 99)
        _ = Self.turns(harness)
        let events = [harness.write()] + Self.turns(harness)
        #expect(events.allSatisfy { $0.count <= Limits.changesPerTurn + 5 })
        let effects = events.flatMap { $0 }
        #expect(effects.answer(to: id) == .added(10_000, already: 0))
        for listener in listeners { #expect(effects.reported(to: listener).map(\.seq) == (1...10_000).map { $0 }) }
    }

    @Test func `a listener that starts while a change is published receives each event once`() throws {
        let harness = Self.harnessWithTurns()
        harness.ask(.monitor(after: nil, kinds: nil, addresses: nil))
        harness.add(addresses(5_000))
        _ = Self.turns(harness)
        let kept = (try #require(harness.commit)).writes.compactMap { if case .event(let it) = $0 { it } else { nil } }
        var effects = harness.write()
        while harness.keeper.commitQueue.lastSeq == 0 { effects += harness.beginTurn() }
        let published = Int(harness.keeper.commitQueue.lastSeq)
        #expect(published < 5_000)
        let (late, _) = harness.ask(.monitor(after: 0, kinds: nil, addresses: nil))
        // The disk has all of them.
        var heard = harness.handle(.eventsRead(late, EventPage(Array(kept.prefix(1_000))))).reported(to: late)
        heard += harness.beginTurn().reported(to: late)
        while heard.count < harness.keeper.commitQueue.lastSeq {
            let page = EventPage(Array(kept.dropFirst(heard.count).prefix(1_000)))
            heard += harness.handle(.eventsRead(late, page)).reported(to: late)
        }
        heard += Self.turns(harness).flatMap { $0 }.reported(to: late)
        #expect(heard.map(\.seq) == (1...5_000).map { $0 })
    }

    // MARK: Large changes

    @Test func `a change of 100,000 addresses takes many turns and one commit`() {
        let harness = Self.harnessWithTurns()
        let (id, first) = harness.ask(.add(addresses(100_000), tags: ["t"], note: nil))
        let preparing = [first] + Self.turns(harness)
        // Each address is checked in one turn, and changed in a later one.
        #expect(preparing.count >= 2 * 100_000 / Limits.changesPerTurn)
        #expect(preparing.flatMap { $0 }.commits.map { $0.writes.count } == [200_002])
        var before = 0
        var events = [harness.write()]
        while harness.wantsTurn {
            #expect(harness.keeper.tally.watched - before <= Limits.changesPerTurn)
            before = harness.keeper.tally.watched
            #expect(events.allSatisfy { $0.answer(to: id) == nil } || before == 100_000)
            events.append(harness.beginTurn())
        }
        #expect(harness.keeper.tally.watched == 100_000)
        #expect(events.flatMap { $0 }.answer(to: id) == .added(100_000, already: 0))
    }

    @Test func `other requests are answered between the turns of a change, and changes keep their order`() {
        let harness = Self.harnessWithTurns()
        let (large, _) = harness.ask(.add(addresses(20_000), tags: [], note: nil))
        let (small, effects) = harness.ask(.remove([addresses(20_000)[19_999]]))
        #expect(effects.answer(to: small) == nil)
        #expect(harness.show(Self.one)?.state == .loading)
        harness.disk = .writesAtOnce
        let answers = Self.turns(harness).flatMap { $0 }.compactMap { effect -> Request.ID? in
            if case .answer(let id, _) = effect { id } else { nil }
        }
        #expect(answers == [large, small])
        #expect(harness.keeper.tally.watched == 19_999)
    }

    @Test func `a large change that is refused changes nothing`() {
        let harness = Self.harnessWithTurns(disk: .writesAtOnce)
        harness.add(addresses(10_000))
        _ = Self.turns(harness)
        let (id, first) = harness.ask(.remove(addresses(10_001)))
        let effects = first + Self.turns(harness).flatMap { $0 }
        #expect(effects.answer(to: id) == .refused(.notWatched(addresses(10_001)[10_000])))
        #expect(effects.commits.isEmpty && harness.keeper.tally.watched == 10_000)
    }

    @Test func `a large change whose commit fails is refused, and changes nothing`() {
        let harness = Self.harnessWithTurns()
        let (id, _) = harness.ask(.add(addresses(10_000), tags: [], note: nil))
        _ = Self.turns(harness)
        #expect(harness.failToWrite().answer(to: id) == .refused(.storeFailed("disk full")))
        #expect(harness.keeper.tally.watched == 0)
    }

    @Test func `the route state is saved with all events that led to it`() throws {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 1)
        harness.disk = .waits
        harness.add([Self.one])
        for status: RouteStatus in [.none(reason: "no route"), .open] {
            harness.handle(.routesChanged)
            harness.pass(.seconds(1))
            harness.answerRouteCheck(status)
        }
        harness.write()
        let writes = try #require(harness.commit).writes
        let kinds = writes.compactMap { if case .event(let event) = $0 { event.kind } else { nil } }
        #expect(kinds == [.networkLost, .networkRestored])
        #expect(writes.contains(.networkLoss(nil)))
    }

    @Test func `a change is refused when the disk fails, even if much work is repeated before it`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 1)
        harness.disk = .waits
        harness.add([Self.one])
        for status: RouteStatus in [.none(reason: "no route"), .open] {
            harness.handle(.routesChanged)
            harness.pass(.seconds(1))
            harness.answerRouteCheck(status)
        }
        let (id, _) = harness.ask(.add([Self.two], tags: [], note: nil))
        #expect(harness.failToWrite().answer(to: id) == .refused(.storeFailed("disk full")))
        let (later, _) = harness.ask(.add([Self.two], tags: [], note: nil))
        #expect(harness.failToWrite().answer(to: later) == .refused(.storeFailed("disk full")))
        #expect(harness.commit == nil, "the next attempt is delayed")
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        #expect(harness.log.announced.count == 2)
        #expect(harness.keeper.commitQueue.isIdle)
    }

    // MARK: Long lists

    @Test func `unchanged lines are read in many turns`() {
        let harness = Self.harnessWithTurns(disk: .writesAtOnce)
        let listed = Self.lines(20_000)
        harness.handle(.listsRead(ListReading(listed)))
        _ = Self.turns(harness)
        #expect(harness.keeper.tally.watched == 20_000)
        let (id, _) = harness.ask(.reload(isForced: false))
        let events = [harness.handle(.listsRead(ListReading(listed, for: id)))] + Self.turns(harness)
        #expect(events.count >= 20_000 / Limits.changesPerTurn)
        #expect(events.flatMap { $0 }.commits.isEmpty)
        #expect(events.flatMap { $0 }.answer(to: id) == .reloaded(added: 0, removed: 0))
    }

    @Test func `a commit contains at most one turn of lines`() {
        let harness = KeeperHarness(ignoring: .all)
        let effects = harness.handle(.listsRead(ListReading(Self.lines(20_000))))
        #expect(effects.commits.allSatisfy { $0.writes.count <= 2 * Limits.changesPerTurn + 5 })
        #expect(harness.keeper.tally.watched == 20_000)
    }

    @Test func `changes and replies do not wait for the rest of a long list`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([Self.one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.disk = .waits
        harness.handle(.listsRead(ListReading(Self.lines(100_000))))
        let (id, _) = harness.ask(.add([Self.two], tags: [], note: nil))
        harness.reply(to: call)
        harness.write()
        // The commit in flight has lines of the list; the next has the change and the reply.
        let effects = harness.write()
        #expect(effects.answer(to: id) == .added(1, already: 0))
        #expect(harness.show(Self.one)?.state == .fresh)
        #expect(harness.keeper.tally.watched < 10_000)
    }

    @Test func `a long list progresses while every commit contains changes by clients`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.handle(.listsRead(ListReading(Self.lines(10_000))))
        for number in 0..<20 {
            harness.add([IPAddress(v4: 0x0900_0000 + UInt32(number))])
            harness.write()
        }
        #expect(harness.keeper.tally.watched > 10_000)
    }

    @Test func `shutdown does not wait for unread lines`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.handle(.listsRead(ListReading(Self.lines(200_000), for: id)))
        let effects = harness.handle(.terminating)
        #expect(effects.answer(to: id) == .refused(.storeFailed("the daemon is stopping")))
        #expect(harness.write().contains(.finish))
        #expect(harness.keeper.tally.watched > 0)
    }

    @Test func `a reading that arrives during shutdown changes nothing`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([Self.one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        let (id, _) = harness.ask(.reload(isForced: false))
        #expect(harness.handle(.terminating).answer(to: id) == .refused(.storeFailed("the daemon is stopping")))
        #expect(harness.handle(.listsRead(ListReading(Self.lines(10), for: id))).isEmpty)
        #expect(harness.reply(to: call).contains(.finish))
    }

    @Test(arguments: [10_000, 40_000]) func `the cost of removing lines is linear`(count: Int) {
        let harness = Self.harnessWithTurns(disk: .writesAtOnce)
        harness.handle(.listsRead(ListReading(Self.lines(count) + [ListedAddress(address: Self.one)])))
        _ = Self.turns(harness)
        harness.handle(.listsRead(ListReading([ListedAddress(address: Self.one)])))
        let turns = Self.turns(harness).count
        #expect(harness.keeper.tally.watched == 1)
        // Each entry is found, removed and published.
        #expect(turns <= 5 * count / Limits.changesPerTurn + 5)
    }

    @Test func `lines whose commit fails are applied later`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.handle(.listsRead(ListReading(Self.lines(5_000))))
        harness.write()
        harness.failToWrite()
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        #expect(harness.keeper.tally.watched == 5_000)
    }

    @Test func `large changes that follow one another are committed one by one`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 3)
        harness.disk = .waits
        _ = harness.ask(.add(addresses(1, from: 0x0900_0000), tags: [], note: nil))
        let requests = (0..<4).map {
            harness.ask(.add(addresses(4, from: 0x0a00_0000 + $0 * 16), tags: [], note: nil)).0
        }
        var sizes: [Int] = []
        harness.disk = .writesAtOnce
        for commit in harness.write().commits {
            sizes.append(commit.writes.filter { if case .put = $0 { true } else { false } }.count)
        }
        #expect(sizes == [4, 4, 4, 4], "each commit has one change that is larger than a turn")
        for id in requests { #expect(harness.log.answer(to: id) == .added(4, already: 0)) }
    }
}
