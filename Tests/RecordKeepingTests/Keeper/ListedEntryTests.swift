import Testing

@testable import RecordKeeping

/// Entries of lists: readings that would remove all of them, and their labels from clients.
@Suite struct ListedEntryTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    /// Returns a harness with one listed entry.
    private func harnessWithLine(_ line: ListedAddress? = nil) -> KeeperHarness {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.handle(.listsRead(ListReading([line ?? ListedAddress(address: one)])))
        harness.expect(.commit([.hasFileEntries(true)] + .adding([one]) + [.history]))
        return harness
    }

    private func reload(_ harness: KeeperHarness, isForced: Bool = false) -> Request.ID {
        let (id, effects) = harness.ask(.reload(isForced: isForced))
        #expect(effects == [.readLists(id, isForced: isForced)])
        harness.expect(.reading(id))
        return id
    }

    private let refusal = Response.refused(.reloadFailed("\(RefusedReading(listed: 1))"))

    // MARK: Removals by clients

    @Test func `the reply to a removal names the addresses that stay because a file lists them`() {
        let harness = harnessWithLine()
        harness.ask(.add([one, two], tags: [], note: nil))
        harness.discardEffects()
        let (id, _) = harness.ask(.remove([two, one, one]))
        #expect(harness.log.answer(to: id) == .removed(1, staying: [one]))
        harness.discardEffects()
        let (again, _) = harness.ask(.remove([one]))
        harness.expect(.answer(again, .removed(0, staying: [one])))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
    }

    @Test func `the preview of a removal has the same reply as the removal, and changes nothing`() {
        let harness = harnessWithLine()
        // The first address is in a file, and has been added by a client, too.
        harness.ask(.add([one, two], tags: [], note: nil))
        harness.discardEffects()
        let (preview, _) = harness.ask(.previewRemoval([two, one, one]))
        let reply = Response.removed(1, staying: [one])
        harness.expect(.answer(preview, reply))
        #expect(harness.show(one)?.entry.watch?.byClient == true)
        #expect(harness.show(two)?.entry.watch != nil)
        let (removal, _) = harness.ask(.remove([two, one, one]))
        #expect(harness.log.answer(to: removal) == reply)
        harness.discardEffects()
    }

    @Test func `the preview of a removal is refused for the same address as the removal`() {
        let harness = harnessWithLine()
        for body in [Request.Body.previewRemoval([one, two]), .remove([one, two])] {
            let (id, _) = harness.ask(body)
            harness.expect(.answer(id, .refused(.notWatched(two))))
        }
    }

    @Test func `the addresses that stay are bounded`() {
        let all = addresses(Limits.stayingAddresses + 1)
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading(all.map { ListedAddress(address: $0) })))
        let (id, _) = harness.ask(.remove(all))
        #expect(harness.log.answer(to: id) == .removed(0, staying: all.dropLast()))
    }

    // MARK: Readings without any address

    @Test func `a reading without any address is refused while addresses are listed`() {
        let harness = harnessWithLine()
        let id = reload(harness)
        harness.handle(.listsRead(ListReading([], for: id)))
        harness.expect(.logRefusedReading(listed: 1), .answer(id, refusal))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
    }

    @Test func `the refusal is logged for the start and for SIGHUP`() {
        let harness = harnessWithLine()
        harness.handle(.listsRead(ListReading([])))
        harness.expect(.logRefusedReading(listed: 1))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
    }

    @Test func `a forced reading without any address is applied`() {
        let harness = harnessWithLine()
        let id = reload(harness, isForced: true)
        harness.handle(.listsRead(ListReading([], for: id, isForced: true)))
        harness.expect(
            .commit(.removing([one]) + [.hasFileEntries(false)]), .answer(id, .reloaded(added: 0, removed: 1)))
        #expect(harness.show(one)?.entry.watch == nil)
    }

    @Test func `a reading without any address is valid if no address is listed`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let id = reload(harness)
        harness.handle(.listsRead(ListReading([], for: id)))
        harness.expect(.commit([.hasFileEntries(false)]), .answer(id, .reloaded(added: 0, removed: 0)))
    }

    @Test func `a reading is checked against the addresses of earlier readings`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.disk = .waits
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        harness.expect(.commit([.hasFileEntries(true)] + .adding([one]) + [.history]))
        harness.handle(.listsRead(ListReading([])))
        harness.write()
        harness.expect(.logRefusedReading(listed: 1))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
    }

    @Test func `the only listed address can be replaced by another`() {
        let harness = harnessWithLine()
        harness.handle(.listsRead(ListReading([ListedAddress(address: two)])))
        harness.expect(.commit(.adding([two]) + .removing([one])))
        #expect(harness.show(one)?.entry.watch == nil && harness.show(two)?.entry.watch?.byFile == true)
    }

    // MARK: Readings without an address of a file

    @Test func `a reading without an address in the files is refused even if the configuration has one`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)], configured: [two])))
        harness.expect(.commit([.hasFileEntries(true)] + .adding([two, one]) + [.history]))
        let id = reload(harness)
        harness.handle(.listsRead(ListReading([], configured: [two], for: id)))
        harness.expect(.logRefusedReading(listed: 1), .answer(id, refusal))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
        let forced = reload(harness, isForced: true)
        harness.handle(.listsRead(ListReading([], configured: [two], for: forced, isForced: true)))
        harness.expect(
            .commit(.removing([one]) + [.hasFileEntries(false)]), .answer(forced, .reloaded(added: 0, removed: 1)))
        #expect(harness.show(one)?.entry.watch == nil && harness.show(two)?.entry.watch != nil)
    }

    @Test func `an address can leave the configuration if that is the only list`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.handle(.listsRead(ListReading([], configured: [one, two])))
        harness.expect(.commit(.adding([one, two]) + [.hasFileEntries(false), .history]))
        harness.handle(.listsRead(ListReading([], configured: [two])))
        harness.expect(.commit(.removing([one])))
        #expect(harness.show(one)?.entry.watch == nil)
    }

    @Test func `addresses can move from the files to the configuration`() {
        let harness = harnessWithLine()
        harness.handle(.listsRead(ListReading([], configured: [two, one])))
        harness.expect(.commit(.adding([two]) + [.hasFileEntries(false)]))
        #expect(harness.keeper.tally.listed == 2)
        harness.handle(.listsRead(ListReading([], configured: [two])))
        harness.expect(.commit(.removing([one])))
        #expect(harness.show(one)?.entry.watch == nil)
    }

    @Test(arguments: [true, nil]) func `a start without the files refuses to remove their entries`(
        hasFileEntries: Bool?
    ) {
        let harness = KeeperHarness(
            ignoring: .upkeep, entries: storedEntries([one], Entry(watch: Watch(byClient: false, byFile: true))),
            restored: Restored(hasFileEntries: hasFileEntries))
        harness.handle(.listsRead(ListReading([], configured: [two])))
        harness.expect(.logRefusedReading(listed: 1))
        #expect(harness.show(one)?.entry.watch?.byFile == true)
    }

    @Test func `a start without files applies a changed configuration`() {
        let harness = KeeperHarness(
            ignoring: .upkeep, entries: storedEntries([one], Entry(watch: Watch(byClient: false, byFile: true))),
            restored: Restored(hasFileEntries: false))
        harness.handle(.listsRead(ListReading([], configured: [two])))
        harness.expect(.commit(.adding([two]) + .removing([one]) + [.history]))
        #expect(harness.show(one)?.entry.watch == nil)
    }

    @Test func `the database records whether entries came from files, from their first commit on`() {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 10)
        harness.handle(.listsRead(ListReading([], configured: [two])))
        harness.expect(.commit(.adding([two]) + [.hasFileEntries(false), .history]))
        let listed = addresses(20)
        let lines = listed.map { ListedAddress(address: $0) }
        harness.handle(.listsRead(ListReading(lines, configured: [two], linesPerPortion: 10)))
        harness.expect(
            .commit([.hasFileEntries(true)] + .adding(listed[..<9])), .commit(.adding(listed[9..<19])),
            .commit(.adding(listed[19...])))
        harness.handle(.listsRead(ListReading([], configured: [two], isComplete: false)))
        harness.handle(.listsRead(ListReading([], configured: [two])))
        harness.expect(.logRefusedReading(listed: 20))
        harness.handle(.listsRead(ListReading([], configured: [two], isForced: true)))
        harness.expect(
            .commit(.removing(listed[..<7])), .commit(.removing(listed[7..<15])),
            .commit(.removing(listed[15..<19])), .commit(.removing(listed[19...]) + [.hasFileEntries(false)]))
    }

    // MARK: Labels

    @Test func `a tag that a client removed stays removed when the line is read again`() {
        let line = ListedAddress(address: one, tags: ["dns", "prod"], note: "ours")
        let harness = harnessWithLine(line)
        label(harness, LabelChange(removeTags: ["dns"]))
        harness.handle(.listsRead(ListReading([line])))
        #expect(harness.show(one)?.entry.watch?.tags == ["prod"])
        #expect(harness.show(one)?.entry.watch?.note == "ours")
    }

    @Test(arguments: ["mine", ""]) func `a note that a client set or removed stays when the line is read again`(
        note: String
    ) {
        let line = ListedAddress(address: one, tags: ["dns"], note: "ours")
        let harness = harnessWithLine(line)
        label(harness, LabelChange(note: note))
        harness.handle(.listsRead(ListReading([ListedAddress(address: one, tags: ["dns", "new"], note: "other")])))
        harness.expect(.commit([.put(one)]))
        #expect(harness.show(one)?.entry.watch?.note == (note.isEmpty ? nil : note))
        #expect(harness.show(one)?.entry.watch?.tags == ["dns", "new"], "the tags are those of the line")
    }

    @Test func `a note that a client adds with the address stays when the line is read again`() {
        let line = ListedAddress(address: one, note: "ours")
        let harness = harnessWithLine(line)
        let (id, _) = harness.ask(.add([one], tags: [], note: "mine"))
        harness.expect(.commit([.put(one)]), .answer(id, .added(0, already: 1)))
        harness.handle(.listsRead(ListReading([line])))
        #expect(harness.show(one)?.entry.watch?.note == "mine")
    }

    @Test func `tags that clients add are kept along with those of the line`() {
        let harness = harnessWithLine(ListedAddress(address: one, tags: ["dns"]))
        label(harness, LabelChange(isPinned: true, addTags: ["mine"]))
        harness.handle(.listsRead(ListReading([ListedAddress(address: one, tags: ["dns", "new"])])))
        harness.expect(.commit([.put(one)]))
        #expect(harness.show(one)?.entry.watch?.tags == ["dns", "mine", "new"])
        #expect(harness.show(one)?.entry.watch?.isPinned == true)
    }

    @Test func `a line that is removed and added again restores its labels`() {
        let line = ListedAddress(address: one, tags: ["dns"], note: "ours")
        let harness = harnessWithLine(line)
        let (id, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit([.put(one)]), .answer(id, .added(0, already: 1)))
        label(harness, LabelChange(removeTags: ["dns"], note: ""))
        harness.handle(.listsRead(ListReading([ListedAddress(address: two)])))
        harness.expect(.commit(.adding([two]) + [.put(one)]))
        #expect(harness.show(one)?.entry.watch?.overrides == [])
        harness.handle(.listsRead(ListReading([line])))
        harness.expect(.commit([.put(one)] + .removing([two])))
        #expect(harness.show(one)?.entry.watch?.tags == ["dns"])
        #expect(harness.show(one)?.entry.watch?.note == "ours")
    }

    @Test func `removed tags and replaced notes survive a restart`() throws {
        let line = ListedAddress(address: one, tags: ["dns"], note: "ours")
        let harness = harnessWithLine(line)
        label(harness, LabelChange(removeTags: ["dns"], note: "mine"))
        let entry = try #require(harness.show(one)?.entry)
        let restarted = KeeperHarness(
            ignoring: .upkeep, entries: storedEntries([one], entry), restored: Restored(hasFileEntries: true))
        restarted.handle(.listsRead(ListReading([line])))
        #expect(restarted.show(one)?.entry.watch == entry.watch)
    }

    /// Sends a `Label` call for the listed entry.
    private func label(_ harness: KeeperHarness, _ change: LabelChange) {
        let (id, _) = harness.ask(.label([one], change))
        harness.expect(.commit([.put(one)]), .answer(id, .labelled(1)))
    }
}
