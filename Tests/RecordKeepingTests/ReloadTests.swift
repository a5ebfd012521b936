import Testing

@testable import RecordKeeping

/// Pending readings of the lists, and the `Reload` calls that wait for them.
@Suite struct ReloadTests {
    private static let one = IPAddress(v4: 0x0901_0101)

    private static func line(_ number: UInt32) -> ListedAddress { ListedAddress(address: IPAddress(v4: number << 24)) }

    /// Sends a `Reload` call, and the reading that it triggers.
    @discardableResult
    private static func reload(
        _ story: Story, _ lines: [ListedAddress], isForced: Bool = false, peer: UInt64 = 1
    ) -> Request.ID {
        let (id, _) = story.ask(.reload(isForced: isForced), peer: peer)
        story.tell(.listsRead(ListReading(lines, for: id, isForced: isForced)))
        return id
    }

    private static func answers(_ effects: [Effect], to id: Request.ID) -> [Response] {
        effects.compactMap { if case .answer(id, let response) = $0 { response } else { nil } }
    }

    // MARK: Pending readings

    @Test func `at most two readings wait while the disk fails, and the newest is applied`() {
        let story = Story()
        story.disk = .waits
        story.add([Self.one])
        story.failToWrite()
        for number: UInt32 in 1...50 { story.tell(.listsRead(ListReading([Self.line(number)]))) }
        #expect(story.keeper.ledger.readings.count <= 2)
        story.disk = .writesAtOnce
        story.pass(.seconds(61))
        #expect(story.keeper.tally.listed == 1)
        #expect(story.show(Self.line(50).address)?.entry.watch?.byFile == true)
    }

    @Test func `a reading that replaces others answers their requests`() {
        let story = Story()
        story.disk = .waits
        story.add([Self.one])
        let ids = (1...5).map { Self.reload(story, [Self.line($0)], peer: UInt64($0)) }
        #expect(ids.allSatisfy { story.log.answer(to: $0) == nil })
        story.disk = .writesAtOnce
        story.write()
        #expect(Self.answers(story.log, to: ids[0]) == [.reloaded(added: 1, removed: 0)])
        for id in ids.dropFirst() {
            #expect(Self.answers(story.log, to: id) == [.reloaded(added: 1, removed: 1)])
        }
        #expect(story.show(Self.line(5).address)?.entry.watch?.byFile == true)
    }

    @Test func `requests of replaced readings are refused once when the disk fails`() {
        let story = Story()
        story.disk = .waits
        story.add([Self.one])
        let ids = (1...5).map { Self.reload(story, [Self.line($0)], peer: UInt64($0)) }
        story.failToWrite()
        story.disk = .writesAtOnce
        story.pass(.seconds(61))
        for id in ids { #expect(Self.answers(story.log, to: id) == [.refused(.storeFailed("disk full"))]) }
        #expect(story.show(Self.line(5).address)?.entry.watch?.byFile == true)
    }

    @Test func `a forced reading without addresses that is replaced by another stays forced`() {
        let story = Story()
        story.tell(.listsRead(ListReading([Self.line(1)])))
        story.disk = .waits
        story.add([Self.one])
        Self.reload(story, [Self.line(1)], peer: 1)
        let forced = Self.reload(story, [], isForced: true, peer: 2)
        story.tell(.listsRead(ListReading([])))
        story.disk = .writesAtOnce
        story.write()
        #expect(story.log.answer(to: forced) == .reloaded(added: 0, removed: 1))
        #expect(story.keeper.tally.listed == 0)
    }

    @Test func `a forced reading that missed a file does not force the one that replaces it`() {
        let story = Story()
        story.tell(.listsRead(ListReading([Self.line(1)])))
        story.disk = .waits
        story.add([Self.one])
        Self.reload(story, [Self.line(1)], peer: 1)
        let (forced, _) = story.ask(.reload(isForced: true), peer: 2)
        story.tell(.listsRead(ListReading([], isComplete: false, for: forced, isForced: true)))
        story.tell(.listsRead(ListReading([])))
        story.disk = .writesAtOnce
        story.write()
        #expect(story.keeper.tally.listed == 1)
        #expect(story.log.answer(to: forced) == .refused(.reloadFailed("\(RefusedReading(listed: 1))")))
    }

    @Test func `a forced reading with addresses does not force the one that replaces it`() {
        let story = Story()
        story.tell(.listsRead(ListReading([Self.line(1)])))
        story.disk = .waits
        story.add([Self.one])
        Self.reload(story, [Self.line(1)], peer: 1)
        let forced = Self.reload(story, [Self.line(1)], isForced: true, peer: 2)
        story.tell(.listsRead(ListReading([])))
        story.disk = .writesAtOnce
        story.write()
        #expect(story.log.answer(to: forced) == .refused(.reloadFailed("\(RefusedReading(listed: 1))")))
        #expect(story.keeper.tally.listed == 1)
    }

    @Test func `a refused reading is logged once, however often a commit fails`() {
        let story = Story()
        story.tell(.listsRead(ListReading([Self.line(1)])))
        story.disk = .waits
        story.add([Self.one])
        story.tell(.listsRead(ListReading([])))
        story.ask(.add(addresses(1), tags: [], note: nil))
        story.write()
        for _ in 0..<3 {
            story.failToWrite()
            story.ask(.add(addresses(1), tags: [], note: nil))
        }
        let refusals = story.log.filter { if case .logRefusedReading = $0 { true } else { false } }
        #expect(refusals == [.logRefusedReading(listed: 1)])
    }

    // MARK: Shutdown

    @Test func `shutdown answers a Reload call once if its reading is in progress`() {
        let story = Story()
        let (id, _) = story.ask(.reload(isForced: false))
        let (other, _) = story.ask(.reload(isForced: false), peer: 2)
        let effects = story.tell(.terminating)
        #expect(effects.answer(to: id) == .refused(.storeFailed("the daemon is stopping")))
        #expect(effects.contains(.finish))
        story.tell(.listsRead(ListReading([Self.line(1)], for: id)))
        story.tell(.listsUnreadable(other, "no file"))
        for id in [id, other] {
            #expect(Self.answers(story.log, to: id) == [.refused(.storeFailed("the daemon is stopping"))])
        }
    }

    @Test func `shutdown does not answer a Reload call whose client has disconnected`() {
        let story = Story()
        let (id, _) = story.ask(.reload(isForced: false))
        story.tell(.clientLeft(id.peer))
        #expect(story.tell(.terminating).answer(to: id) == nil)
    }

    @Test func `shutdown during a commit answers a Reload call once`() {
        let story = Story(changesPerTurn: 3)
        story.beginsTurns = false
        story.disk = .waits
        story.add([Self.one])
        let lines = addresses(12).map { ListedAddress(address: $0) }
        let (id, _) = story.ask(.reload(isForced: false))
        story.tell(.listsRead(ListReading(lines, for: id, linesPerPortion: 2)))
        story.ask(.add(addresses(20, from: 0x0A00_0000), tags: [], note: nil))
        story.ask(.add(addresses(20, from: 0x0B00_0000), tags: [], note: nil))
        // The commit of the second addition begins with a portion of the list.
        for _ in 0..<200 where !story.keeper.ledger.isDrafting || story.keeper.tally.watched < 21 {
            if story.write().isEmpty { story.beginTurn() }
        }
        #expect(story.keeper.ledger.isDrafting)
        story.tell(.terminating)
        story.beginsTurns = true
        story.disk = .writesAtOnce
        story.write()
        story.beginTurn()
        #expect(Self.answers(story.log, to: id) == [.refused(.storeFailed("the daemon is stopping"))])
        #expect(story.log.contains(.finish))
    }

    // MARK: Progress

    @Test func `a reading progresses while large changes follow one another`() {
        let story = Story(changesPerTurn: 3)
        story.disk = .waits
        story.add([Self.one])
        story.tell(.listsRead(ListReading([Self.line(1), Self.line(2)])))
        let changes = (0..<20).map { story.ask(.add(addresses(5, from: 0x0A00_0000 + $0 * 16), tags: [], note: nil)).0 }
        for _ in 0..<4 { story.write() }
        #expect(story.keeper.tally.listed == 2)
        #expect(story.log.answer(to: changes[19]) == nil, "the changes go on")
        story.disk = .writesAtOnce
        story.write()
        for id in changes { #expect(story.log.answer(to: id) == .added(5, already: 0)) }
    }

    @Test func `a reading progresses while changes fill each commit`() {
        let story = Story(changesPerTurn: 3)
        story.disk = .waits
        story.add([Self.one])
        story.tell(.listsRead(ListReading([Self.line(1)])))
        for number in 0..<100 { story.add(addresses(1, from: 0x0A00_0000 + UInt32(number))) }
        for _ in 0..<5 { story.write() }
        #expect(story.keeper.tally.listed == 1)
        #expect(story.keeper.tally.watched < 50, "the changes go on")
    }
}
