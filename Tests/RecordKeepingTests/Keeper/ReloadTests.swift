import Testing

@testable import RecordKeeping

/// Pending readings of the lists, and the `Reload` calls that wait for them.
@Suite struct ReloadTests {
    private static let one = IPAddress(v4: 0x0901_0101)

    private static func line(_ number: UInt32) -> ListedAddress { ListedAddress(address: IPAddress(v4: number << 24)) }

    private static func lineAddresses(_ numbers: UInt32...) -> [IPAddress] { numbers.map { line($0).address } }

    /// Sends an `Add` call whose commit waits, so that readings wait as well.
    @discardableResult
    private static func add(_ harness: KeeperHarness, withHistory: Bool = true) -> Request.ID {
        harness.disk = .waits
        let (id, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit(.adding([one]) + (withHistory ? [.history] : [])))
        return id
    }

    /// Sends a `Reload` call, and the reading that it triggers.
    @discardableResult
    private static func reload(
        _ harness: KeeperHarness, _ lines: [ListedAddress], isForced: Bool = false, peer: UInt64 = 1
    ) -> Request.ID {
        let (id, _) = harness.ask(.reload(isForced: isForced), peer: peer)
        harness.expect(.reading(id))
        harness.handle(.listsRead(ListReading(lines, for: id, isForced: isForced)))
        return id
    }

    /// Returns a harness with one listed address, and an `Add` call whose commit waits.
    private static func harnessWithLine() -> (KeeperHarness, add: Request.ID) {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.handle(.listsRead(ListReading([line(1)])))
        harness.discardEffects()
        return (harness, add(harness, withHistory: false))
    }

    // MARK: Pending readings

    @Test func `at most two readings wait while the disk fails, and the newest is applied`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        Self.add(harness)
        harness.failToWrite()
        harness.discardEffects()
        for number: UInt32 in 1...50 { harness.handle(.listsRead(ListReading([Self.line(number)]))) }
        #expect(harness.keeper.commitQueue.readings.count <= 2)
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        let (first, last) = (Self.lineAddresses(1), Self.lineAddresses(50))
        harness.expect(
            .commit([.hasFileEntries(true)] + .adding(first) + [.health]), .logStoreRecovery,
            .commit(.adding(last) + .removing(first)), .commit([.health]), .call(last, .single))
        #expect(harness.keeper.tally.listed == 1)
        #expect(harness.show(Self.line(50).address)?.entry.watch?.byFile == true)
    }

    @Test func `a reading that replaces others answers their requests`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let add = Self.add(harness)
        let ids = (1...5).map { Self.reload(harness, [Self.line($0)], peer: UInt64($0)) }
        harness.disk = .writesAtOnce
        harness.write()
        let (first, last) = (Self.lineAddresses(1), Self.lineAddresses(5))
        harness.expect(
            [
                .answer(add, .added(1, already: 0)),
                .commit([.hasFileEntries(true)] + .adding(first)), .answer(ids[0], .reloaded(added: 1, removed: 0)),
                .commit(.adding(last) + .removing(first)),
            ] + ids[1...].map { .answer($0, .reloaded(added: 1, removed: 1)) })
        #expect(harness.show(Self.line(5).address)?.entry.watch?.byFile == true)
    }

    @Test func `requests of replaced readings are refused once when the disk fails`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let add = Self.add(harness)
        let ids = (1...5).map { Self.reload(harness, [Self.line($0)], peer: UInt64($0)) }
        harness.failToWrite()
        harness.expect(
            [.logStoreFailure(reason: "disk full")]
                + ([add] + ids).map { .answer($0, .refused(.storeFailed("disk full"))) })
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        let (first, last) = (Self.lineAddresses(1), Self.lineAddresses(5))
        harness.expect(
            .commit([.hasFileEntries(true)] + .adding(first)), .logStoreRecovery,
            .commit(.adding(last) + .removing(first)), .commit([.health]), .call(last, .single))
        #expect(harness.show(Self.line(5).address)?.entry.watch?.byFile == true)
    }

    @Test func `a forced reading without addresses that is replaced by another stays forced`() {
        let (harness, add) = Self.harnessWithLine()
        let first = Self.reload(harness, [Self.line(1)], peer: 1)
        let forced = Self.reload(harness, [], isForced: true, peer: 2)
        harness.handle(.listsRead(ListReading([])))
        harness.disk = .writesAtOnce
        harness.write()
        harness.expect(
            .answer(add, .added(1, already: 0)), .answer(first, .reloaded(added: 0, removed: 0)),
            .commit(.removing(Self.lineAddresses(1)) + [.hasFileEntries(false)]),
            .answer(forced, .reloaded(added: 0, removed: 1)))
        #expect(harness.keeper.tally.listed == 0)
    }

    @Test func `a forced reading that missed a file does not force the one that replaces it`() {
        let (harness, add) = Self.harnessWithLine()
        let first = Self.reload(harness, [Self.line(1)], peer: 1)
        let (forced, _) = harness.ask(.reload(isForced: true), peer: 2)
        harness.expect(.reading(forced))
        harness.handle(.listsRead(ListReading([], isComplete: false, for: forced, isForced: true)))
        harness.handle(.listsRead(ListReading([])))
        harness.disk = .writesAtOnce
        harness.write()
        harness.expect(
            .answer(add, .added(1, already: 0)), .answer(first, .reloaded(added: 0, removed: 0)),
            .logRefusedReading(listed: 1), .answer(forced, .refused(.reloadFailed("\(RefusedReading(listed: 1))"))))
        #expect(harness.keeper.tally.listed == 1)
    }

    @Test func `a forced reading with addresses does not force the one that replaces it`() {
        let (harness, add) = Self.harnessWithLine()
        let first = Self.reload(harness, [Self.line(1)], peer: 1)
        let forced = Self.reload(harness, [Self.line(1)], isForced: true, peer: 2)
        harness.handle(.listsRead(ListReading([])))
        harness.disk = .writesAtOnce
        harness.write()
        harness.expect(
            .answer(add, .added(1, already: 0)), .answer(first, .reloaded(added: 0, removed: 0)),
            .logRefusedReading(listed: 1), .answer(forced, .refused(.reloadFailed("\(RefusedReading(listed: 1))"))))
        #expect(harness.keeper.tally.listed == 1)
    }

    @Test func `a refused reading is logged once, however often a commit fails`() {
        let (harness, add) = Self.harnessWithLine()
        harness.handle(.listsRead(ListReading([])))
        let other = Self.lineAddresses(2)
        var (id, _) = harness.ask(.add(other, tags: [], note: nil))
        harness.write()
        harness.expect(
            .answer(add, .added(1, already: 0)), .logRefusedReading(listed: 1), .commit(.adding(other)))
        for _ in 0..<3 {
            harness.failToWrite()
            harness.expect(
                .logStoreFailure(reason: "disk full"), .answer(id, .refused(.storeFailed("disk full"))))
            id = harness.ask(.add(other, tags: [], note: nil)).0
            harness.expect(.commit(.adding(other) + [.health]))
        }
    }

    // MARK: Shutdown

    @Test func `shutdown answers a Reload call once if its reading is in progress`() {
        let harness = KeeperHarness()
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(id))
        let (other, _) = harness.ask(.reload(isForced: false), peer: 2)
        harness.expect(.reading(other))
        harness.handle(.terminating)
        let refused = Response.refused(.storeFailed("the daemon is stopping"))
        harness.expect(.answer(id, refused), .answer(other, refused), .finish)
        harness.handle(.listsRead(ListReading([Self.line(1)], for: id)))
        harness.handle(.listsUnreadable(other, "no file"))
    }

    @Test func `shutdown does not answer a Reload call whose client has disconnected`() {
        let harness = KeeperHarness()
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(id))
        harness.handle(.clientLeft(id.peer))
        harness.handle(.terminating)
        harness.expect(.finish)
    }

    @Test func `shutdown during a commit answers a Reload call once`() {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 3)
        harness.beginsTurns = false
        let add = Self.add(harness)
        let lines = addresses(12).map { ListedAddress(address: $0) }
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(id))
        harness.handle(.listsRead(ListReading(lines, for: id, linesPerPortion: 2)))
        let first = addresses(21, from: 0x0A00_0000)
        let second = addresses(20, from: 0x0B00_0000)
        let (addFirst, _) = harness.ask(.add(first, tags: [], note: nil))
        let (addSecond, _) = harness.ask(.add(second, tags: [], note: nil))
        harness.write()
        harness.expect(.answer(add, .added(1, already: 0)))
        while harness.wantsTurn { harness.beginTurn() }
        harness.expect(.commit(.adding(first)))
        harness.write()
        while harness.wantsTurn, harness.log.answer(to: addFirst) == nil { harness.beginTurn() }
        harness.expect(.answer(addFirst, .added(21, already: 0)))
        while harness.wantsTurn, !harness.keeper.commitQueue.isPreparing { harness.beginTurn() }
        #expect(harness.keeper.commitQueue.isPreparing)
        harness.handle(.terminating)
        harness.expect(.answer(id, .refused(.storeFailed("the daemon is stopping"))))
        harness.beginsTurns = true
        harness.disk = .writesAtOnce
        harness.beginTurn()
        // The commit of the second addition began with a portion of the list.
        harness.expect(
            .commit([.hasFileEntries(true)] + .adding(addresses(2)) + .adding(second)),
            .answer(addSecond, .added(20, already: 0)), .finish)
    }

    // MARK: Progress

    @Test func `a reading progresses while large changes follow one another`() {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 3)
        let add = Self.add(harness)
        harness.handle(.listsRead(ListReading([Self.line(1), Self.line(2)])))
        let parts = (0..<20).map { addresses(5, from: 0x0A00_0000 + $0 * 16) }
        let changes = parts.map { harness.ask(.add($0, tags: [], note: nil)).0 }
        let answers = changes.map { EffectOutline.answer($0, .added(5, already: 0)) }
        let commits = parts.map { EffectOutline.commit(.adding($0)) }
        harness.write()
        harness.expect(.answer(add, .added(1, already: 0)), commits[0])
        harness.write()
        harness.expect(answers[0], .commit([.hasFileEntries(true)] + .adding(Self.lineAddresses(1, 2))))
        harness.write()
        harness.expect(commits[1])
        harness.write()
        harness.expect(answers[1], commits[2])
        #expect(harness.keeper.tally.listed == 2)
        harness.disk = .writesAtOnce
        harness.write()
        harness.expect((2..<19).flatMap { [answers[$0], commits[$0 + 1]] } + [answers[19]])
    }

    @Test func `a reading progresses while changes fill each commit`() {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 3)
        let add = Self.add(harness)
        harness.handle(.listsRead(ListReading([Self.line(1)])))
        let others = addresses(100, from: 0x0A00_0000)
        let changes = others.map { harness.ask(.add([$0], tags: [], note: nil)).0 }
        let answers = changes.map { EffectOutline.answer($0, .added(1, already: 0)) }
        let commits = others.map { EffectOutline.commit(.adding([$0])) }
        harness.write()
        harness.expect(.answer(add, .added(1, already: 0)), commits[0])
        harness.write()
        harness.expect(answers[0], .commit([.hasFileEntries(true)] + .adding(Self.lineAddresses(1))))
        harness.write()
        harness.expect(commits[1])
        for number in 1...2 {
            harness.write()
            harness.expect(answers[number], commits[number + 1])
        }
        #expect(harness.keeper.tally.listed == 1)
    }
}
