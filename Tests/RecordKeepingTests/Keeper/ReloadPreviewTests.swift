import Testing

@testable import RecordKeeping

/// Previews of reloads: `Reload` requests that change nothing.
@Suite struct ReloadPreviewTests {
    private static let (one, two) = (IPAddress(v4: 0x0901_0101), IPAddress(v4: 0x0902_0202))

    private static func lines(_ numbers: Range<Int>, tags: [String] = []) -> [ListedAddress] {
        addresses(numbers.upperBound)[numbers].map { ListedAddress(address: $0, tags: tags) }
    }

    /// Returns a harness with the addresses of these lines on the watch list.
    private static func harness(
        with lines: [ListedAddress], changesPerTurn: Int = Limits.changesPerTurn
    ) -> KeeperHarness {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: changesPerTurn)
        if !lines.isEmpty { harness.handle(.listsRead(ListReading(lines))) }
        harness.discardEffects()
        return harness
    }

    /// Sends a request for a preview, and the reading that it triggers.
    private static func preview(
        _ harness: KeeperHarness, _ lines: [ListedAddress], isForced: Bool = false, isComplete: Bool = true,
        problems: [String] = [], peer: UInt64 = 1, linesPerPortion: Int = Limits.linesPerPortion
    ) -> Request.ID {
        let (id, effects) = harness.ask(.reload(isForced: isForced, isPreview: true), peer: peer)
        #expect(effects.contains(.readLists(id, isForced: isForced, isPreview: true)))
        harness.expect(.reading(id))
        let reading = ListReading(
            lines, isComplete: isComplete, problems: problems, for: id, isForced: isForced, isPreview: true,
            linesPerPortion: linesPerPortion)
        harness.handle(.listsRead(reading))
        return id
    }

    private static func change(
        _ address: IPAddress, _ fields: (name: String, old: String?, new: String?)...
    ) -> WatchChange {
        WatchChange(
            address: address, fields: fields.map { FieldChange(field: $0.name, old: $0.old, new: $0.new) })
    }

    // MARK: Results

    @Test func `a preview reports what the reload then does, and changes nothing`() {
        let harness = Self.harness(with: Self.lines(0..<2))
        harness.ask(.add([Self.one, Self.two], tags: [], note: nil))
        harness.discardEffects()
        let tagged = ListedAddress(address: Self.one, tags: ["dns"])
        let lines = Self.lines(1..<3) + [tagged]
        let id = Self.preview(harness, lines)
        let all = addresses(3)
        let expected = ReloadPreview(
            added: [all[2]], changed: [Self.one], removed: [all[0]],
            changes: [Self.change(Self.one, ("tags", nil, "dns"), ("sources", "client", "client,file"))])
        harness.expect(.answer(id, .reloaded(added: 1, changed: 1, removed: 1, preview: expected)))
        #expect(harness.keeper.tally.watched == 4 && harness.keeper.tally.listed == 2)
        #expect(harness.show(Self.one)?.entry.watch?.tags == [])
        let (reload, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(reload))
        harness.handle(.listsRead(ListReading(lines, for: reload)))
        #expect(harness.log.answer(to: reload) == .reloaded(added: 1, changed: 1, removed: 1))
        harness.discardEffects()
        let again = Self.preview(harness, lines)
        harness.expect(.answer(again, .reloaded(added: 0, removed: 0, preview: ReloadPreview())))
    }

    @Test func `an entry that a client has also added changes when it leaves its file`() {
        let harness = Self.harness(with: Self.lines(0..<2))
        let all = addresses(2)
        harness.ask(.add([all[1]], tags: [], note: nil))
        harness.discardEffects()
        let id = Self.preview(harness, Self.lines(0..<1))
        let expected = ReloadPreview(
            changed: [all[1]], changes: [Self.change(all[1], ("sources", "client,file", "client"))])
        harness.expect(.answer(id, .reloaded(added: 0, changed: 1, removed: 0, preview: expected)))
    }

    @Test func `an address on several lines counts once, in previews and in reloads`() {
        let harness = Self.harness(with: Self.lines(0..<1))
        let lines = Self.lines(0..<2, tags: ["a"]) + Self.lines(0..<2, tags: ["b"])
        let all = addresses(2)
        let id = Self.preview(harness, lines, linesPerPortion: 1)
        let expected = ReloadPreview(
            added: [all[1]], changed: [all[0]], changes: [Self.change(all[0], ("tags", nil, "a,b"))])
        harness.expect(.answer(id, .reloaded(added: 1, changed: 1, removed: 0, preview: expected)))
        let (reload, _) = harness.ask(.reload(isForced: false))
        harness.expect(.reading(reload))
        harness.handle(.listsRead(ListReading(lines, for: reload, linesPerPortion: 1)))
        #expect(harness.log.answer(to: reload) == .reloaded(added: 1, changed: 1, removed: 0))
        harness.discardEffects()
        #expect(all.allSatisfy { harness.show($0)?.entry.watch?.tags == ["a", "b"] })
    }

    @Test func `lines with the same address are merged: all tags, and the last note`() {
        let lines = [
            ListedAddress(address: Self.one, tags: ["b"], note: "first"), ListedAddress(address: Self.two),
            ListedAddress(address: Self.one, tags: ["a", "b"], note: "last"), ListedAddress(address: Self.one),
        ]
        let reading = ListReading(lines, configured: [Self.two])
        let merged = ListedAddress(address: Self.one, tags: ["a", "b"], note: "last")
        #expect(reading.portions == [[ListedAddress(address: Self.two), merged]])
        #expect(reading.addresses == [Self.one, Self.two])
    }

    @Test func `the addresses of a preview are bounded, and the counts are complete`() throws {
        let harness = Self.harness(with: [])
        let lines = Self.lines(0..<(Limits.previewedAddresses + 1))
        let id = Self.preview(harness, lines)
        while harness.log.answer(to: id) == nil {
            harness.expect(.part(id))
            harness.handle(.resumed(id))
        }
        let added = lines.dropLast().map(\.address)
        harness.expect(
            .answer(id, .reloaded(added: lines.count, removed: 0, preview: ReloadPreview(added: added))))
    }

    @Test func `a preview shows labels and ends before and after the reload`() {
        let harness = Self.harness(with: [ListedAddress(address: Self.one, tags: ["a"], note: "old")])
        let end = KeeperHarness.start.wall + .seconds(60)
        harness.ask(.add([Self.two], tags: [], note: nil, until: end))
        harness.discardEffects()
        let lines = [
            ListedAddress(address: Self.one, tags: ["b"], note: "new"), ListedAddress(address: Self.two),
        ]
        let id = Self.preview(harness, lines)
        let changes = [
            Self.change(Self.one, ("tags", "a", "a,b"), ("note", "old", "new")),
            Self.change(
                Self.two, ("sources", "client", "client,file"), ("watchedUntil", "\(end.milliseconds)", nil)),
        ]
        let expected = ReloadPreview(changed: [Self.one, Self.two], changes: changes)
        harness.expect(.answer(id, .reloaded(added: 0, changed: 2, removed: 0, preview: expected)))
    }

    @Test func `the labels of a preview are bounded, but all addresses are listed`() {
        let note = String(repeating: "n", count: Limits.noteBytes)
        let fitting = Limits.previewedBytes / Limits.noteBytes
        let all = addresses(fitting + 1)
        let harness = Self.harness(with: all.map { ListedAddress(address: $0) })
        let id = Self.preview(harness, all.map { ListedAddress(address: $0, note: note) })
        while harness.log.answer(to: id) == nil {
            harness.expect(.part(id))
            harness.handle(.resumed(id))
        }
        let expected = ReloadPreview(
            changed: all, changes: all.prefix(fitting).map { Self.change($0, ("note", nil, note)) })
        harness.expect(.answer(id, .reloaded(added: 0, changed: all.count, removed: 0, preview: expected)))
    }

    // MARK: Errors

    @Test func `only administrators may preview a reload`() {
        let harness = Self.harness(with: [])
        let (id, _) = harness.ask(.reload(isForced: false, isPreview: true), asAdministrator: false)
        harness.expect(.answer(id, .refused(.permissionDenied)))
    }

    @Test func `a preview of a reload that would be refused has the reason, which is not logged`() {
        let harness = Self.harness(with: Self.lines(0..<1))
        let id = Self.preview(harness, [])
        harness.expect(.answer(id, .refused(.reloadFailed("\(RefusedReading(listed: 1))"))))
        let forced = Self.preview(harness, [], isForced: true)
        harness.expect(
            .answer(forced, .reloaded(added: 0, removed: 1, preview: ReloadPreview(removed: addresses(1)))))
        #expect(harness.keeper.tally.listed == 1)
    }

    @Test func `errors in the files are in the preview, and nothing is removed if a file is unreadable`() {
        let harness = Self.harness(with: Self.lines(0..<1))
        let problems = ["line 3 of x: bad", "y: unreadable"]
        let id = Self.preview(harness, Self.lines(1..<3), isComplete: false, problems: problems)
        let preview = ReloadPreview(added: Array(addresses(3)[1...]), problems: problems)
        harness.expect(.answer(id, .reloaded(added: 2, removed: 0, preview: preview)))
        let (unreadable, _) = harness.ask(.reload(isForced: false, isPreview: true))
        harness.expect(.reading(unreadable))
        harness.handle(.listsUnreadable(unreadable, "no file"))
        harness.expect(.answer(unreadable, .refused(.reloadFailed("no file"))))
    }

    @Test func `the errors in a preview are bounded`() {
        let harness = Self.harness(with: [])
        let problems = (1...Limits.previewedProblems + 1).map { "line \($0) of x: bad" }
        let id = Self.preview(harness, [], problems: problems)
        let preview = ReloadPreview(problems: Array(problems.dropLast()))
        harness.expect(.answer(id, .reloaded(added: 0, removed: 0, preview: preview)))
    }

    @Test func `a preview needs no writable database`() {
        let harness = Self.harness(with: Self.lines(0..<1))
        harness.disk = .waits
        harness.ask(.add([Self.one], tags: [], note: nil))
        harness.discardEffects()
        harness.failToWrite()
        harness.discardEffects()
        let id = Self.preview(harness, Self.lines(0..<1))
        harness.expect(.answer(id, .reloaded(added: 0, removed: 0, preview: ReloadPreview())))
    }

    // MARK: Several requests

    @Test func `a reload that waits is applied after a preview, and each has its own reply`() {
        let harness = Self.harness(with: Self.lines(0..<1))
        harness.disk = .waits
        let (add, _) = harness.ask(.add([Self.one], tags: [], note: nil))
        harness.expect(.commit(.adding([Self.one])))
        let (first, _) = harness.ask(.reload(isForced: false), peer: 2)
        harness.expect(.reading(first))
        harness.handle(.listsRead(ListReading(Self.lines(0..<2), for: first)))
        let id = Self.preview(harness, Self.lines(0..<3), peer: 3)
        // Neither the change nor the reload is on disk yet.
        let all = addresses(3)
        harness.expect(
            .answer(id, .reloaded(added: 2, removed: 0, preview: ReloadPreview(added: [all[1], all[2]]))))
        #expect(harness.keeper.commitQueue.readings.count == 1)
        harness.disk = .writesAtOnce
        harness.write()
        harness.expect(
            .answer(add, .added(1, already: 0)), .commit(.adding([all[1]])),
            .answer(first, .reloaded(added: 1, removed: 0)))
    }

    @Test func `a long preview is made in turns, between which changes are committed`() {
        let harness = Self.harness(with: Self.lines(0..<20), changesPerTurn: 3)
        let id = Self.preview(harness, Self.lines(10..<30), linesPerPortion: 2)
        harness.expect(.part(id))
        let (add, _) = harness.ask(.add([Self.one], tags: [], note: nil), peer: 2)
        harness.expect(.commit(.adding([Self.one])), .answer(add, .added(1, already: 0)))
        harness.handle(.resumed(id))
        var turns = 2
        while harness.log.answer(to: id) == nil {
            harness.expect(.part(id))
            harness.handle(.resumed(id))
            turns += 1
        }
        #expect(turns > 5)
        let all = addresses(30)
        let expected = ReloadPreview(added: Array(all[20..<30]), removed: Array(all[..<10]))
        harness.expect(.answer(id, .reloaded(added: 10, removed: 10, preview: expected)))
        #expect(harness.keeper.previews.isEmpty && harness.keeper.tally.watched == 21)
    }

    @Test func `previews in progress are bounded`() {
        let harness = Self.harness(with: [], changesPerTurn: 1)
        var waiting: [Request.ID] = []
        for peer in 1...UInt64(Limits.previews) {
            waiting.append(Self.preview(harness, Self.lines(0..<9), peer: peer, linesPerPortion: 1))
            harness.expect(.part(waiting.last!))
        }
        let id = Self.preview(harness, Self.lines(0..<9), peer: 9, linesPerPortion: 1)
        harness.expect(.answer(id, .refused(.tooMany(limit: Limits.previews, .waitingRequests))))
        #expect(harness.keeper.footprint.listings == Limits.previews)
    }

    @Test func `a preview ends when its client disconnects, before or after the files are read`() {
        let harness = Self.harness(with: [], changesPerTurn: 1)
        let id = Self.preview(harness, Self.lines(0..<9), linesPerPortion: 1)
        harness.expect(.part(id))
        harness.handle(.clientLeft(id.peer))
        #expect(harness.keeper.previews.isEmpty)
        harness.handle(.resumed(id))
        let (gone, _) = harness.ask(.reload(isForced: false, isPreview: true), peer: 2)
        harness.expect(.reading(gone))
        harness.handle(.clientLeft(gone.peer))
        harness.handle(.listsRead(ListReading(Self.lines(0..<9), for: gone, isPreview: true, linesPerPortion: 1)))
        #expect(harness.keeper.previews.isEmpty && harness.keeper.tally.watched == 0)
    }

    @Test func `shutdown refuses a preview in progress`() {
        let harness = Self.harness(with: [], changesPerTurn: 1)
        let id = Self.preview(harness, Self.lines(0..<9), linesPerPortion: 1)
        harness.expect(.part(id))
        harness.handle(.terminating)
        harness.expect(.answer(id, .refused(.storeFailed("the daemon is stopping"))), .finish)
        harness.handle(.resumed(id))
    }
}
