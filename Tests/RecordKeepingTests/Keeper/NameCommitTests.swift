import Testing

@testable import RecordKeeping

/// Changes of watched names on a slow or failing disk, across restarts, and during other changes.
@Suite struct NameCommitTests {
    private let www = HostName.example()
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    @Test func `an answer is applied after it is on disk`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, [one])
        harness.pass(.seconds(300))
        harness.disk = .waits
        harness.resolve(www, [two])
        #expect(harness.view(of: www)?.watch.addresses == [one])
        // The name is not resolved while its answer waits for the disk.
        #expect(harness.pass(.seconds(600)).resolvedNames.isEmpty)
        harness.write()
        #expect(harness.watched == [two])
        #expect(harness.view(of: www)?.watch.addresses == [two])
    }

    @Test(arguments: [true, false])
    func `an answer that could not be written is not applied, and the name is resolved again`(isQueued: Bool) {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, [one])
        harness.pass(.seconds(300))
        harness.disk = .waits
        // The answer is in the commit that fails, or waits for the next one.
        if isQueued { harness.ask(.add([IPAddress(v4: 0x0909_0909)], tags: [], note: nil)) }
        harness.resolve(www, [two])
        harness.failToWrite()
        // The name is not resolved while nothing can be written.
        for _ in 0..<60 {
            #expect(harness.pass(.seconds(60)).resolvedNames.isEmpty)
            #expect(harness.failToWrite().resolvedNames.isEmpty)
        }
        #expect(harness.view(of: www)?.state == .stale)
        harness.disk = .writesAtOnce
        #expect(harness.pass(.seconds(60)).resolvedNames == [www])
        #expect(harness.watched == [one] && harness.view(of: www)?.watch.addresses == [one])
        harness.resolve(www, [one])
        #expect(harness.view(of: www)?.state == .fresh)
    }

    @Test func `an answer that arrives while the disk is failing is not applied`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, [one])
        harness.pass(.seconds(300))
        harness.disk = .waits
        harness.ask(.add([IPAddress(v4: 0x0909_0909)], tags: [], note: nil))
        harness.failToWrite()
        #expect(harness.resolve(www, [two]).resolvedNames.isEmpty)
        harness.disk = .writesAtOnce
        #expect(harness.pass(.seconds(60)).resolvedNames == [www])
        #expect(harness.watched == [one])
        harness.resolve(www, [two])
        #expect(harness.watched == [two])
    }

    @Test func `an answer about a name that was removed in the meantime changes nothing`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.ask(.addNames([www], tags: [], note: nil))
        harness.ask(.removeNames([www]))
        #expect(harness.resolve(www, [one]).commits.isEmpty)
        #expect(harness.watched == [] && harness.view(of: www) == nil)
    }

    @Test func `an answer that is queued while its name is removed and added again belongs to the new name`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, [one])
        harness.pass(.seconds(300))
        harness.disk = .waits
        harness.ask(.add([IPAddress(v4: 0x0909_0909)], tags: [], note: nil))
        harness.resolve(www, [two])
        harness.ask(.removeNames([www]))
        harness.ask(.addNames([www], tags: [], note: nil))
        harness.disk = .writesAtOnce
        let effects = harness.write()
        #expect(effects.resolvedNames == [www])
        #expect(harness.view(of: www)?.state == .loading && !harness.watched.contains(two))
        harness.resolve(www, [one])
        #expect(harness.view(of: www)?.watch.addresses == [one])
    }

    @Test func `stored names are restored as stale, and resolved at once`() {
        let entries = storedEntries([
            (one, Entry(watch: Watch(byClient: false))), (two, Entry(watch: Watch(byClient: true))),
        ])
        let missing = IPAddress(v4: 0x0909_0909)
        let saved = SavedName(
            www, WatchedName(addresses: [missing, two, one], answeredAt: WallTime(milliseconds: 1_799_999_000_000)))
        let harness = KeeperHarness(ignoring: .all, entries: entries, restored: Restored(names: [saved]))
        #expect(harness.log.resolvedNames == [www])
        #expect(harness.view(of: www)?.state == .stale)
        #expect(harness.show(one)?.entry.watch == Watch(byClient: false, byName: true))
        #expect(harness.show(two)?.entry.watch == Watch(byClient: true, byName: true))
        // The entry that is missing in the store comes back with the next answer.
        harness.resolve(www, [one, missing])
        #expect(harness.watched == [one, two, missing].sorted())
        #expect(harness.show(two)?.entry.watch == Watch(byClient: true))
        #expect(harness.view(of: www)?.state == .fresh)
    }

    @Test func `no resolution begins while the daemon is stopping`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, [one])
        harness.pass(.milliseconds(299_900))
        harness.handle(.terminating)
        #expect(harness.pass(.seconds(1)).resolvedNames.isEmpty)
        let (id, effects) = harness.ask(.addNames([www], tags: [], note: nil))
        #expect(effects.answer(to: id) == .refused(.storeFailed("the daemon is stopping")))
    }

    @Test func `listeners select the events of names`() {
        let harness = KeeperHarness(ignoring: .all)
        func listen(_ selection: EventSelection) -> Request.ID { harness.ask(.monitor(after: nil, selection)).0 }
        let all = listen(EventSelection())
        let named = listen(EventSelection(names: [www]))
        let addressed = listen(EventSelection(addresses: [one]))
        let either = listen(EventSelection(addresses: [two], names: [www]))
        let tagged = listen(EventSelection(tags: ["a"]))
        harness.ask(.addNames([www, .example("mail")], tags: ["a"], note: nil))
        harness.resolve(www, [one])
        harness.resolve(.example("mail"), [two])
        func kinds(_ id: Request.ID) -> [String] {
            harness.log.reported(to: id).map { "\($0.kind) \($0.address?.description ?? "-")" }
        }
        #expect(kinds(all).count == 6)
        #expect(kinds(named) == ["nameAdded -", "addressAdded 1.1.1.1"])
        #expect(kinds(addressed) == ["addressAdded 1.1.1.1", "added 1.1.1.1"])
        #expect(
            kinds(either) == [
                "nameAdded -", "addressAdded 1.1.1.1", "addressAdded 8.8.8.8", "added 8.8.8.8",
            ])
        #expect(
            kinds(tagged) == ["addressAdded 1.1.1.1", "added 1.1.1.1", "addressAdded 8.8.8.8", "added 8.8.8.8"])
    }

    @Test func `an answer that arrives while the daemon stops is not used`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.ask(.addNames([www], tags: [], note: nil))
        // The commit that is being written keeps the daemon from ending.
        harness.disk = .waits
        harness.ask(.add([one], tags: [], note: nil))
        harness.handle(.terminating)
        #expect(harness.resolve(www, [two]).resolvedNames.isEmpty)
        harness.disk = .writesAtOnce
        harness.write()
        #expect(harness.watched == [one])
    }

    @Test func `an answer about one family keeps no address of a name that was removed and added again`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let other = IPAddress(v4: 0x0909_0909)
        harness.watch(www, [one, try IPAddress("2001:db8::1")])
        harness.pass(.seconds(300))
        harness.disk = .waits
        harness.add([other])
        harness.ask(.removeNames([www]))
        harness.ask(.addNames([www], tags: [], note: nil))
        harness.handle(.nameResolved(www, .addresses([two]), unanswered: .v6))
        harness.disk = .writesAtOnce
        harness.write()
        #expect(harness.watched == [two, other])
        #expect(harness.view(of: www)?.watch.addresses == [two])
    }

    @Test func `a family that could not be queried keeps its addresses`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let six = try IPAddress("2001:db8::1")
        harness.watch(www, [one, six])
        harness.pass(.seconds(300))
        harness.handle(.nameResolved(www, .addresses([two]), unanswered: .v6))
        #expect(harness.watched == [two, six])
        #expect(harness.view(of: www)?.watch.addresses == [two, six] && harness.view(of: www)?.state == .fresh)
        harness.pass(.seconds(300))
        harness.resolve(www, [two])
        #expect(harness.watched == [two])
    }
}
