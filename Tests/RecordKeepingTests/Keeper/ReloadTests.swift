import Testing

@testable import RecordKeeping

/// Pending readings of the lists, and the `Reload` calls that wait for them.
@Suite struct ReloadTests {
    private static let one = IPAddress(v4: 0x0901_0101)

    private static func line(_ number: UInt32) -> ListedAddress { ListedAddress(address: IPAddress(v4: number << 24)) }

    /// Sends a `Reload` call, and the reading that it triggers.
    @discardableResult
    private static func reload(
        _ harness: KeeperHarness, _ lines: [ListedAddress], isForced: Bool = false, peer: UInt64 = 1
    ) -> Request.ID {
        let (id, _) = harness.ask(.reload(isForced: isForced), peer: peer)
        harness.handle(.listsRead(ListReading(lines, for: id, isForced: isForced)))
        return id
    }

    private static func answers(_ effects: [Effect], to id: Request.ID) -> [Response] {
        effects.compactMap { if case .answer(id, let response) = $0 { response } else { nil } }
    }

    // MARK: Pending readings

    @Test func `at most two readings wait while the disk fails, and the newest is applied`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.add([Self.one])
        harness.failToWrite()
        for number: UInt32 in 1...50 { harness.handle(.listsRead(ListReading([Self.line(number)]))) }
        #expect(harness.keeper.commitQueue.readings.count <= 2)
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        #expect(harness.keeper.tally.listed == 1)
        #expect(harness.show(Self.line(50).address)?.entry.watch?.byFile == true)
    }

    @Test func `a reading that replaces others answers their requests`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.add([Self.one])
        let ids = (1...5).map { Self.reload(harness, [Self.line($0)], peer: UInt64($0)) }
        #expect(ids.allSatisfy { harness.log.answer(to: $0) == nil })
        harness.disk = .writesAtOnce
        harness.write()
        #expect(Self.answers(harness.log, to: ids[0]) == [.reloaded(added: 1, removed: 0)])
        for id in ids.dropFirst() {
            #expect(Self.answers(harness.log, to: id) == [.reloaded(added: 1, removed: 1)])
        }
        #expect(harness.show(Self.line(5).address)?.entry.watch?.byFile == true)
    }

    @Test func `requests of replaced readings are refused once when the disk fails`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.add([Self.one])
        let ids = (1...5).map { Self.reload(harness, [Self.line($0)], peer: UInt64($0)) }
        harness.failToWrite()
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        for id in ids { #expect(Self.answers(harness.log, to: id) == [.refused(.storeFailed("disk full"))]) }
        #expect(harness.show(Self.line(5).address)?.entry.watch?.byFile == true)
    }

    @Test func `a forced reading without addresses that is replaced by another stays forced`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([Self.line(1)])))
        harness.disk = .waits
        harness.add([Self.one])
        Self.reload(harness, [Self.line(1)], peer: 1)
        let forced = Self.reload(harness, [], isForced: true, peer: 2)
        harness.handle(.listsRead(ListReading([])))
        harness.disk = .writesAtOnce
        harness.write()
        #expect(harness.log.answer(to: forced) == .reloaded(added: 0, removed: 1))
        #expect(harness.keeper.tally.listed == 0)
    }

    @Test func `a forced reading that missed a file does not force the one that replaces it`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([Self.line(1)])))
        harness.disk = .waits
        harness.add([Self.one])
        Self.reload(harness, [Self.line(1)], peer: 1)
        let (forced, _) = harness.ask(.reload(isForced: true), peer: 2)
        harness.handle(.listsRead(ListReading([], isComplete: false, for: forced, isForced: true)))
        harness.handle(.listsRead(ListReading([])))
        harness.disk = .writesAtOnce
        harness.write()
        #expect(harness.keeper.tally.listed == 1)
        #expect(harness.log.answer(to: forced) == .refused(.reloadFailed("\(RefusedReading(listed: 1))")))
    }

    @Test func `a forced reading with addresses does not force the one that replaces it`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([Self.line(1)])))
        harness.disk = .waits
        harness.add([Self.one])
        Self.reload(harness, [Self.line(1)], peer: 1)
        let forced = Self.reload(harness, [Self.line(1)], isForced: true, peer: 2)
        harness.handle(.listsRead(ListReading([])))
        harness.disk = .writesAtOnce
        harness.write()
        #expect(harness.log.answer(to: forced) == .refused(.reloadFailed("\(RefusedReading(listed: 1))")))
        #expect(harness.keeper.tally.listed == 1)
    }

    @Test func `a refused reading is logged once, however often a commit fails`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([Self.line(1)])))
        harness.disk = .waits
        harness.add([Self.one])
        harness.handle(.listsRead(ListReading([])))
        harness.ask(.add(addresses(1), tags: [], note: nil))
        harness.write()
        for _ in 0..<3 {
            harness.failToWrite()
            harness.ask(.add(addresses(1), tags: [], note: nil))
        }
        let refusals = harness.log.filter { if case .logRefusedReading = $0 { true } else { false } }
        #expect(refusals == [.logRefusedReading(listed: 1)])
    }

    // MARK: Shutdown

    @Test func `shutdown answers a Reload call once if its reading is in progress`() {
        let harness = KeeperHarness(ignoring: .all)
        let (id, _) = harness.ask(.reload(isForced: false))
        let (other, _) = harness.ask(.reload(isForced: false), peer: 2)
        let effects = harness.handle(.terminating)
        #expect(effects.answer(to: id) == .refused(.storeFailed("the daemon is stopping")))
        #expect(effects.contains(.finish))
        harness.handle(.listsRead(ListReading([Self.line(1)], for: id)))
        harness.handle(.listsUnreadable(other, "no file"))
        for id in [id, other] {
            #expect(Self.answers(harness.log, to: id) == [.refused(.storeFailed("the daemon is stopping"))])
        }
    }

    @Test func `shutdown does not answer a Reload call whose client has disconnected`() {
        let harness = KeeperHarness(ignoring: .all)
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.handle(.clientLeft(id.peer))
        #expect(harness.handle(.terminating).answer(to: id) == nil)
    }

    @Test func `shutdown during a commit answers a Reload call once`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 3)
        harness.beginsTurns = false
        harness.disk = .waits
        harness.add([Self.one])
        let lines = addresses(12).map { ListedAddress(address: $0) }
        let (id, _) = harness.ask(.reload(isForced: false))
        harness.handle(.listsRead(ListReading(lines, for: id, linesPerPortion: 2)))
        harness.ask(.add(addresses(20, from: 0x0A00_0000), tags: [], note: nil))
        harness.ask(.add(addresses(20, from: 0x0B00_0000), tags: [], note: nil))
        // The commit of the second addition begins with a portion of the list.
        for _ in 0..<200 where !harness.keeper.commitQueue.isPreparing || harness.keeper.tally.watched < 21 {
            if harness.write().isEmpty { harness.beginTurn() }
        }
        #expect(harness.keeper.commitQueue.isPreparing)
        harness.handle(.terminating)
        harness.beginsTurns = true
        harness.disk = .writesAtOnce
        harness.write()
        harness.beginTurn()
        #expect(Self.answers(harness.log, to: id) == [.refused(.storeFailed("the daemon is stopping"))])
        #expect(harness.log.contains(.finish))
    }

    // MARK: Progress

    @Test func `a reading progresses while large changes follow one another`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 3)
        harness.disk = .waits
        harness.add([Self.one])
        harness.handle(.listsRead(ListReading([Self.line(1), Self.line(2)])))
        let changes = (0..<20).map {
            harness.ask(.add(addresses(5, from: 0x0A00_0000 + $0 * 16), tags: [], note: nil)).0
        }
        for _ in 0..<4 { harness.write() }
        #expect(harness.keeper.tally.listed == 2)
        #expect(harness.log.answer(to: changes[19]) == nil, "changes are still pending")
        harness.disk = .writesAtOnce
        harness.write()
        for id in changes { #expect(harness.log.answer(to: id) == .added(5, already: 0)) }
    }

    @Test func `a reading progresses while changes fill each commit`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 3)
        harness.disk = .waits
        harness.add([Self.one])
        harness.handle(.listsRead(ListReading([Self.line(1)])))
        for number in 0..<100 { harness.add(addresses(1, from: 0x0A00_0000 + UInt32(number))) }
        for _ in 0..<5 { harness.write() }
        #expect(harness.keeper.tally.listed == 1)
        #expect(harness.keeper.tally.watched < 50, "changes are still pending")
    }
}
