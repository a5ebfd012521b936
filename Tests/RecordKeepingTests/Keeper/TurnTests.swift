import Testing

@testable import RecordKeeping

/// Large changes are handled in portions, with other work between the turns.
///
/// Where the number of turns matters, the tests count them; they do not state each request for a turn.
@Suite struct TurnTests {
    private let one = IPAddress(v4: 0x0901_0101)
    private let two = IPAddress(v4: 0x0902_0202)

    /// Returns a harness whose turns the test begins itself.
    private func harnessWithTurns() -> KeeperHarness {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.beginsTurns = false
        harness.disk = .waits
        return harness
    }

    /// Starts 20 listeners.
    private func listen(_ harness: KeeperHarness) -> [Request.ID] {
        (1...20).map { harness.ask(.monitor(after: nil, EventSelection()), peer: $0).0 }
    }

    private func publications(_ count: Int, to listeners: [Request.ID]) -> [EffectOutline] {
        Array(repeating: .publish(.added, to: listeners), count: count)
    }

    // MARK: Events for listeners

    @Test func `an event is one effect, whatever the number of listeners`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let listeners = listen(harness)
        let (id, effects) = harness.ask(.add(addresses(5_000), tags: [], note: nil), peer: 99)
        #expect(effects.count < 5_000 + 200)
        harness.expect(
            [.commit(.adding(addresses(5_000)) + [.history]), .answer(id, .added(5_000, already: 0))]
                + publications(5_000, to: listeners)
                + [.commit([.health]), .call(addresses(100), .batch)])
        for listener in listeners { #expect(effects.reported(to: listener).map(\.seq) == (1...5_000).map { $0 }) }
    }

    @Test func `the number of effects stays small while thousands of changes are published`() {
        let harness = harnessWithTurns()
        let listeners = listen(harness)
        let (id, _) = harness.ask(.add(addresses(10_000), tags: [], note: nil), peer: 99)
        harness.finishTurns()
        harness.expect(.commit(.adding(addresses(10_000)) + [.history]))
        let turns = [harness.write()] + harness.finishTurns()
        #expect(turns.allSatisfy { $0.count <= Limits.changesPerTurn + 5 })
        harness.expect(
            [.answer(id, .added(10_000, already: 0))] + publications(10_000, to: listeners) + [.commit([.health])])
        let effects = turns.flatMap { $0 }
        for listener in listeners { #expect(effects.reported(to: listener).map(\.seq) == (1...10_000).map { $0 }) }
    }

    @Test func `a listener that starts while a change is published receives each event once`() throws {
        let harness = harnessWithTurns()
        let (early, _) = harness.ask(.monitor(after: nil, EventSelection()))
        let (id, _) = harness.ask(.add(addresses(5_000), tags: [], note: nil))
        harness.finishTurns()
        harness.expect(.commit(.adding(addresses(5_000)) + [.history]))
        let kept = (try #require(harness.commit)).writes.compactMap { if case .event(let it) = $0 { it } else { nil } }
        harness.write()
        while harness.keeper.commitQueue.lastSeq == 0 { harness.beginTurn() }
        let published = Int(harness.keeper.commitQueue.lastSeq)
        #expect(published < 5_000)
        harness.expect([.answer(id, .added(5_000, already: 0))] + publications(published, to: [early]))
        let (late, _) = harness.ask(.monitor(after: 0, EventSelection()))
        harness.expect(.reading(late))
        // The disk has all of them.
        var heard = harness.handle(.eventsRead(late, EventPage(Array(kept.prefix(400))))).reported(to: late)
        harness.expect(publications(400, to: [late]) + [.reading(late)])
        // The turn publishes nothing to the late listener, which is still reading.
        harness.beginTurn()
        harness.expect(publications(Int(harness.keeper.commitQueue.lastSeq) - published, to: [early]))
        let beforeRest = Int(harness.keeper.commitQueue.lastSeq)
        while heard.count < beforeRest {
            let page = EventPage(Array(kept.dropFirst(heard.count).prefix(400)))
            let read = harness.handle(.eventsRead(late, page)).reported(to: late)
            heard += read
            let isLast = heard.count == beforeRest
            harness.expect(publications(read.count, to: [late]) + (isLast ? [] : [.reading(late)]))
        }
        heard += harness.finishTurns().flatMap { $0 }.reported(to: late)
        harness.expect(publications(5_000 - beforeRest, to: [early, late]) + [.commit([.health])])
        #expect(heard.map(\.seq) == (1...5_000).map { $0 })
    }

    // MARK: Large changes

    @Test func `a change of 100,000 addresses takes many turns and one commit`() {
        let harness = harnessWithTurns()
        let (id, _) = harness.ask(.add(addresses(100_000), tags: ["t"], note: nil))
        // Each address is checked in one turn, and changed in a later one.
        #expect(1 + harness.finishTurns().count >= 2 * 100_000 / Limits.changesPerTurn)
        harness.expect(.commit(.adding(addresses(100_000)) + [.history]))
        harness.write()
        while harness.wantsTurn, harness.keeper.tally.watched < 100_000 {
            let before = harness.keeper.tally.watched
            harness.beginTurn()
            #expect(harness.keeper.tally.watched - before <= Limits.changesPerTurn)
        }
        #expect(harness.keeper.tally.watched == 100_000)
        harness.expect()
        harness.finishTurns()
        harness.expect(.answer(id, .added(100_000, already: 0)), .commit([.health]))
    }

    @Test func `other requests are answered between the turns of a change, and changes keep their order`() {
        let harness = harnessWithTurns()
        let added = addresses(20_000)
        let (large, _) = harness.ask(.add(added, tags: [], note: nil))
        let (small, _) = harness.ask(.remove([added[19_999]]))
        #expect(harness.show(one)?.state == .loading)
        harness.disk = .writesAtOnce
        harness.finishTurns()
        harness.expect(
            .commit(.adding(added) + [.history]), .answer(large, .added(20_000, already: 0)),
            .commit(.removing([added[19_999]]) + [.health]), .answer(small, .removed(1)),
            .call(added.prefix(99) + [one], .batch))
        #expect(harness.keeper.tally.watched == 19_999)
    }

    @Test func `a large change that is refused changes nothing`() {
        let harness = harnessWithTurns()
        harness.disk = .writesAtOnce
        harness.add(addresses(10_000))
        harness.finishTurns()
        harness.discardEffects()
        let (id, _) = harness.ask(.remove(addresses(10_001)))
        harness.finishTurns()
        harness.expect(.answer(id, .refused(.notWatched(addresses(10_001)[10_000]))))
        #expect(harness.keeper.tally.watched == 10_000)
    }

    @Test func `a large change whose commit fails is refused, and changes nothing`() {
        let harness = harnessWithTurns()
        let (id, _) = harness.ask(.add(addresses(10_000), tags: [], note: nil))
        harness.finishTurns()
        harness.expect(.commit(.adding(addresses(10_000)) + [.history]))
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"), .answer(id, .refused(.storeFailed("disk full"))))
        #expect(harness.keeper.tally.watched == 0)
    }

    @Test func `large changes that follow one another are committed one by one`() {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 3)
        harness.disk = .waits
        let (first, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit(.adding([one]) + [.history]))
        let batches = (0..<4).map { addresses(4, from: 0x0a00_0000 + $0 * 16) }
        let requests = batches.map { harness.ask(.add($0, tags: [], note: nil)).0 }
        harness.disk = .writesAtOnce
        harness.write()
        // Each change is larger than a turn.
        harness.expect(
            [.answer(first, .added(1, already: 0))]
                + zip(requests, batches).flatMap {
                    [EffectOutline.commit(.adding($1)), .answer($0, .added(4, already: 0))]
                })
    }

    // MARK: Repeated work

    /// Loses the route and restores it, while the disk waits.
    private func loseAndRestoreRoute(_ harness: KeeperHarness) {
        for hasRoute in [false, true] {
            harness.handle(.routesChanged)
            harness.pass(.seconds(1))
            harness.expect(.checkRoute)
            if hasRoute { harness.answerRouteCheck(.open) } else { harness.loseRoute() }
            harness.expect(hasRoute ? [.resolve] : [])
        }
    }

    @Test func `the route state is saved with all events that led to it`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 1)
        harness.disk = .waits
        let (id, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit(.adding([one]) + [.history]))
        loseAndRestoreRoute(harness)
        harness.write()
        harness.expect(
            .answer(id, .added(1, already: 0)),
            .commit([.event(.networkLost), .event(.networkRestored), .health, .outage]))
        #expect(try #require(harness.commit).writes.contains(.networkLoss(nil)))
    }

    @Test func `a change is refused when the disk fails, even if much work is repeated before it`() {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 1)
        harness.disk = .waits
        let (first, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit(.adding([one]) + [.history]))
        loseAndRestoreRoute(harness)
        let (id, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.failToWrite()
        harness.expect(
            .logStoreFailure(reason: "disk full"), .answer(first, .refused(.storeFailed("disk full"))),
            .answer(id, .refused(.storeFailed("disk full"))), .log(.networkLost), .log(.networkRestored))
        let (later, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(.commit([.event(.networkLost), .event(.networkRestored), .health, .outage]))
        harness.failToWrite()
        harness.expect(
            .logStoreFailure(reason: "disk full"), .answer(later, .refused(.storeFailed("disk full"))))
        #expect(harness.commit == nil, "the next attempt is delayed")
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        harness.expect(
            .commit([.event(.networkLost), .event(.networkRestored), .health, .outage]), .logStoreRecovery)
        #expect(harness.keeper.commitQueue.isIdle)
    }
}
