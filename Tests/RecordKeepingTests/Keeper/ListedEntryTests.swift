import Testing

@testable import RecordKeeping

/// Entries of lists: readings that would remove all of them, and their labels from clients.
@Suite struct ListedEntryTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    /// Returns a harness with one listed entry.
    private func harnessWithLine(_ line: ListedAddress? = nil) -> KeeperHarness {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([line ?? ListedAddress(address: one)])))
        return harness
    }

    private func refusals(_ effects: [Effect]) -> [Effect] {
        effects.filter { if case .logRefusedReading = $0 { true } else { false } }
    }

    // MARK: Readings without any address

    @Test func `a reading without any address is refused while addresses are listed`() {
        let harness = harnessWithLine()
        let (id, _) = harness.ask(.reload(isForced: false))
        let effects = harness.handle(.listsRead(ListReading([], for: id)))
        #expect(effects.answer(to: id) == .refused(.reloadFailed("\(RefusedReading(listed: 1))")))
        #expect(refusals(effects) == [.logRefusedReading(listed: 1)])
        #expect(effects.commits.isEmpty && harness.show(one)?.entry.watch?.byFile == true)
    }

    @Test func `the refusal is logged for the start and for SIGHUP`() {
        let harness = harnessWithLine()
        #expect(refusals(harness.handle(.listsRead(ListReading([])))) == [.logRefusedReading(listed: 1)])
        #expect(harness.show(one)?.entry.watch?.byFile == true)
    }

    @Test func `a forced reading without any address is applied`() {
        let harness = harnessWithLine()
        let (id, effects) = harness.ask(.reload(isForced: true))
        #expect(effects.contains(.readLists(id, isForced: true)))
        let read = harness.handle(.listsRead(ListReading([], for: id, isForced: true)))
        #expect(read.answer(to: id) == .reloaded(added: 0, removed: 1))
        #expect(harness.show(one)?.entry.watch == nil && refusals(read).isEmpty)
    }

    @Test func `a reading without any address is valid if no address is listed`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let (id, _) = harness.ask(.reload(isForced: false))
        let effects = harness.handle(.listsRead(ListReading([], for: id)))
        #expect(effects.answer(to: id) == .reloaded(added: 0, removed: 0))
        #expect(refusals(effects).isEmpty)
    }

    @Test func `a reading is checked against the addresses of earlier readings`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        harness.handle(.listsRead(ListReading([])))
        #expect(refusals(harness.write()) == [.logRefusedReading(listed: 1)])
        #expect(harness.show(one)?.entry.watch?.byFile == true)
    }

    @Test func `the only listed address can be replaced by another`() {
        let harness = harnessWithLine()
        harness.handle(.listsRead(ListReading([ListedAddress(address: two)])))
        #expect(harness.show(one)?.entry.watch == nil && harness.show(two)?.entry.watch?.byFile == true)
    }

    // MARK: Readings without an address of a file

    private func marks(_ effects: [Effect]) -> [Bool] {
        effects.commits.flatMap(\.writes).compactMap { if case .hasFileEntries(let value) = $0 { value } else { nil } }
    }

    @Test func `a reading without an address in the files is refused even if the configuration has one`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)], configured: [two])))
        let (id, _) = harness.ask(.reload(isForced: false))
        let effects = harness.handle(.listsRead(ListReading([], configured: [two], for: id)))
        #expect(effects.answer(to: id) == .refused(.reloadFailed("\(RefusedReading(listed: 1))")))
        #expect(refusals(effects) == [.logRefusedReading(listed: 1)])
        #expect(effects.commits.isEmpty && harness.show(one)?.entry.watch?.byFile == true)
        let (forced, _) = harness.ask(.reload(isForced: true))
        let applied = harness.handle(.listsRead(ListReading([], configured: [two], for: forced, isForced: true)))
        #expect(applied.answer(to: forced) == .reloaded(added: 0, removed: 1))
        #expect(harness.show(one)?.entry.watch == nil && harness.show(two)?.entry.watch != nil)
    }

    @Test func `an address can leave the configuration if that is the only list`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([], configured: [one, two])))
        let effects = harness.handle(.listsRead(ListReading([], configured: [two])))
        #expect(refusals(effects).isEmpty && harness.show(one)?.entry.watch == nil)
    }

    @Test func `addresses can move from the files to the configuration`() {
        let harness = harnessWithLine()
        let effects = harness.handle(.listsRead(ListReading([], configured: [two, one])))
        #expect(refusals(effects).isEmpty && harness.keeper.tally.listed == 2)
        let later = harness.handle(.listsRead(ListReading([], configured: [two])))
        #expect(refusals(later).isEmpty && harness.show(one)?.entry.watch == nil)
    }

    @Test(arguments: [true, nil]) func `a start without the files refuses to remove their entries`(
        hasFileEntries: Bool?
    ) {
        let harness = KeeperHarness(
            ignoring: .all, entries: [SavedEntry(one, Entry(watch: Watch(byClient: false, byFile: true)))],
            restored: Restored(hasFileEntries: hasFileEntries))
        #expect(
            refusals(harness.handle(.listsRead(ListReading([], configured: [two])))) == [.logRefusedReading(listed: 1)])
        #expect(harness.show(one)?.entry.watch?.byFile == true)
    }

    @Test func `a start without files applies a changed configuration`() {
        let harness = KeeperHarness(
            ignoring: .all, entries: [SavedEntry(one, Entry(watch: Watch(byClient: false, byFile: true)))],
            restored: Restored(hasFileEntries: false))
        #expect(refusals(harness.handle(.listsRead(ListReading([], configured: [two])))).isEmpty)
        #expect(harness.show(one)?.entry.watch == nil)
    }

    @Test func `the database records whether entries came from files, from their first commit on`() {
        let harness = KeeperHarness(ignoring: .all)
        #expect(marks(harness.handle(.listsRead(ListReading([], configured: [two])))) == [false])
        let lines = addresses(5_000).map { ListedAddress(address: $0) }
        let effects = harness.handle(.listsRead(ListReading(lines, configured: [two])))
        #expect(effects.commits.count > 1 && effects.commits.first.map { marks([.commit($0)]) } == [true])
        #expect(marks(effects) == [true])
        #expect(marks(harness.handle(.listsRead(ListReading([], configured: [two], isComplete: false)))).isEmpty)
        #expect(refusals(harness.handle(.listsRead(ListReading([], configured: [two])))).count == 1)
        let forced = harness.handle(.listsRead(ListReading([], configured: [two], isForced: true)))
        #expect(marks(forced) == [false] && forced.commits.last.map { marks([.commit($0)]) } == [false])
    }

    // MARK: Labels

    @Test func `a tag that a client removed stays removed when the line is read again`() {
        let line = ListedAddress(address: one, tags: ["dns", "prod"], note: "ours")
        let harness = harnessWithLine(line)
        harness.ask(.label([one], LabelChange(removeTags: ["dns"])))
        let reading = harness.handle(.listsRead(ListReading([line])))
        #expect(reading.commits.isEmpty)
        #expect(harness.show(one)?.entry.watch?.tags == ["prod"])
        #expect(harness.show(one)?.entry.watch?.note == "ours")
    }

    @Test(arguments: ["mine", ""]) func `a note that a client set or removed stays when the line is read again`(
        note: String
    ) {
        let line = ListedAddress(address: one, tags: ["dns"], note: "ours")
        let harness = harnessWithLine(line)
        harness.ask(.label([one], LabelChange(note: note)))
        harness.handle(.listsRead(ListReading([ListedAddress(address: one, tags: ["dns", "new"], note: "other")])))
        #expect(harness.show(one)?.entry.watch?.note == (note.isEmpty ? nil : note))
        #expect(harness.show(one)?.entry.watch?.tags == ["dns", "new"], "the tags are those of the line")
    }

    @Test func `a note that a client adds with the address stays when the line is read again`() {
        let line = ListedAddress(address: one, note: "ours")
        let harness = harnessWithLine(line)
        harness.ask(.add([one], tags: [], note: "mine"))
        harness.handle(.listsRead(ListReading([line])))
        #expect(harness.show(one)?.entry.watch?.note == "mine")
    }

    @Test func `tags that clients add are kept along with those of the line`() {
        let harness = harnessWithLine(ListedAddress(address: one, tags: ["dns"]))
        harness.ask(.label([one], LabelChange(isPinned: true, addTags: ["mine"])))
        harness.handle(.listsRead(ListReading([ListedAddress(address: one, tags: ["dns", "new"])])))
        #expect(harness.show(one)?.entry.watch?.tags == ["dns", "mine", "new"])
        #expect(harness.show(one)?.entry.watch?.isPinned == true)
    }

    @Test func `a line that is removed and added again restores its labels`() {
        let line = ListedAddress(address: one, tags: ["dns"], note: "ours")
        let harness = harnessWithLine(line)
        harness.add([one])
        harness.ask(.label([one], LabelChange(removeTags: ["dns"], note: "")))
        harness.handle(.listsRead(ListReading([ListedAddress(address: two)])))
        #expect(harness.show(one)?.entry.watch?.overrides == [])
        harness.handle(.listsRead(ListReading([line])))
        #expect(harness.show(one)?.entry.watch?.tags == ["dns"])
        #expect(harness.show(one)?.entry.watch?.note == "ours")
    }

    @Test func `removed tags and replaced notes survive a restart`() throws {
        let line = ListedAddress(address: one, tags: ["dns"], note: "ours")
        let harness = harnessWithLine(line)
        harness.ask(.label([one], LabelChange(removeTags: ["dns"], note: "mine")))
        let entry = try #require(harness.show(one)?.entry)
        let restarted = KeeperHarness(ignoring: .all, entries: [SavedEntry(one, entry)])
        restarted.handle(.listsRead(ListReading([line])))
        #expect(restarted.show(one)?.entry.watch == entry.watch)
    }
}
