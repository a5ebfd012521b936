import Testing

@testable import RecordKeeping

/// Cohorts and entries of an earlier run.
@Suite struct RestoredCohortTests {
    private let all = addresses(3)
    private let one = addresses(3)[0]
    private let two = addresses(3)[1]
    private let four = IPAddress(v4: 0x0404_0404)

    private static func record(age: Duration) -> Entry {
        let at = KeeperHarness.start.advanced(by: .zero - age)
        return Entry(
            watch: Watch(byClient: true), scan: Scan(answer: .record(.example), at: at, provider: "mock"))
    }

    /// Returns a keeper with records that all belong to cohort 5 of an earlier run. The ids of the entries ascend from
    /// 1.
    private static func harness(with addresses: [IPAddress], age: Duration) -> KeeperHarness {
        let entries = storedEntries(addresses, record(age: age)).map {
            SavedEntry($0.key, $0.entry, cohort: CohortID(number: 5))
        }
        return KeeperHarness(ignoring: .upkeep, settings: .shortInterval, entries: entries)
    }

    // MARK: Records

    @Test func `records that were fetched together still share their cohort after a restart`() throws {
        let harness = Self.harness(with: all, age: .seconds(10))
        #expect(harness.holders == [5: 3])
        let cohort = try #require(harness.cohort(of: one))
        #expect(cohort.isStored && !cohort.isOfThisRun && cohort.at == KeeperHarness.start.advanced(by: .seconds(-10)))
        for address in all {
            let view = try #require(harness.show(address))
            #expect(view.state == .fresh && view.entry == Self.record(age: .seconds(10)))
        }
        let (id, _) = harness.ask(.label([two], LabelChange(note: "new")))
        harness.expect(.commit([.put(two), .history]), .answer(id, .labelled(1)))
        #expect(harness.holders == [5: 3])
    }

    @Test(arguments: [1, 3]) func `records of an earlier run are moved to a new cohort at their first refresh`(
        count: Int
    ) throws {
        let some = Array(all[..<count])
        let harness = Self.harness(with: some, age: .seconds(100))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .history]), .call(some, count == 1 ? .single : .batch))
        harness.reply(to: call)
        harness.expect(.commit([.cohort(6), .move((1...count).map { Int64($0) }, to: 6), .health]))
        #expect(harness.holders == [6: Int32(count)])
        for address in some { #expect(harness.show(address)?.entry.scan?.at == harness.now) }
        // The old cohort has kept its time, because some of its records may be unreadable.
        harness.reply(to: try harness.expireRecords())
        harness.expect(.commit([.cohort(6), .health, .removeCohort(5)]))
    }

    @Test func `a changed record of an earlier run is stored in the new cohort`() throws {
        let harness = Self.harness(with: all, age: .seconds(100))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.discardEffects()
        harness.reply(to: call, answering: [two: .answered(.record(.inBonn))])
        harness.expect(
            .commit([.cohort(6), .move([1, 3], to: 6), .put(two, cohort: 6), .event(.changed, two), .health]),
            .log(.changed))
        #expect(harness.holders == [6: 3])
    }

    @Test func `a removed address keeps its fresh record of an earlier run with the cohort`() throws {
        let harness = Self.harness(with: all, age: .seconds(10))
        let (id, effects) = harness.ask(.remove([two]))
        harness.expect(
            .commit([.remove(two), .put(two, cohort: 5), .event(.removed, two), .history]), .answer(id, .removed(1)))
        let key = EntryKey(id: EntryID(number: 4), address: two)
        let isStored = effects.commits[0].writes.contains {
            if case .put(key, _, cohort: _) = $0 { true } else { false }
        }
        #expect(isStored, "it is a new entry")
        #expect(harness.holders == [5: 3] && harness.show(two)?.state == .fresh)
    }

    @Test func `records with a time in the future make their cohort stale`() throws {
        let harness = Self.harness(with: all, age: .seconds(-100))
        #expect(harness.holders == [5: 3])
        for address in all { #expect(harness.show(address)?.state == .stale) }
        harness.pass(Limits.gather)
        harness.expect(.commit([.health, .history]), .call(all, .batch))
    }

    // MARK: Unused rows

    /// Returns a keeper without calls, because the route has not been checked. One address has a second entry, with
    /// id 3, whose record belongs to cohort 3.
    private func harnessWithDuplicate() -> KeeperHarness {
        var (first, second) = (Self.record(age: .zero), Self.record(age: .zero))
        first.watch?.note = "first"
        second.watch?.note = "second"
        return KeeperHarness(
            ignoring: .upkeep, entries: storedEntries([(one, first), (two, first), (one, second)]), status: nil)
    }

    @Test func `a second entry of an address is removed with the next commit`() throws {
        let harness = harnessWithDuplicate()
        #expect(harness.keeper.footprint.entries == 2 && harness.holders == [2: 1, 3: 1])
        #expect(harness.show(one)?.entry.watch?.note == "second", "the later entry counts")
        // Nothing is written for the removal alone.
        harness.pass(.seconds(3_600))
        let (id, effects) = harness.ask(.add([four], tags: [], note: nil))
        harness.expect(
            .commit(.adding([four]) + [.removeObsolete(1), .removeCohort(1), .history]),
            .answer(id, .added(1, already: 0)))
        let added = effects.commits[0].writes.compactMap {
            if case .put(let key, _, cohort: _) = $0 { key } else { nil }
        }
        #expect(added == [EntryKey(id: EntryID(number: 4), address: four)])
        let (label, _) = harness.ask(.label([one], LabelChange(note: "new")))
        harness.expect(.commit([.put(one)]), .answer(label, .labelled(1)))
    }

    @Test func `a second entry is removed later if the commit fails`() throws {
        let harness = harnessWithDuplicate()
        harness.disk = .waits
        let (id, _) = harness.ask(.add([four], tags: [], note: nil))
        harness.expect(.commit(.adding([four]) + [.removeObsolete(1), .removeCohort(1), .history]))
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"), .answer(id, .refused(.storeFailed("disk full"))))
        let (again, _) = harness.ask(.add([four], tags: [], note: nil))
        harness.expect(.commit(.adding([four]) + [.health, .removeObsolete(1), .removeCohort(1)]))
        harness.write()
        harness.expect(.logStoreRecovery, .answer(again, .added(1, already: 0)))
    }

    @Test func `a watched entry takes precedence over a lookup of the same address`() throws {
        var lookup = Self.record(age: .zero)
        lookup.watch = nil
        let harness = KeeperHarness(
            ignoring: .upkeep, entries: storedEntries([(one, Self.record(age: .zero)), (one, lookup)]), status: nil)
        #expect(harness.keeper.footprint.entries == 1 && harness.show(one)?.entry.watch != nil)
        let (id, _) = harness.ask(.label([one], LabelChange(note: "new")))
        harness.expect(.commit([.put(one), .removeObsolete(2), .history]), .answer(id, .labelled(1)))
    }

    @Test func `a lookup without a record is removed, and the address can be added`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, entries: storedEntries([(one, Entry())]), status: nil)
        #expect(harness.keeper.footprint.entries == 0)
        let (id, effects) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit(.adding([one]) + [.removeObsolete(1), .history]), .answer(id, .added(1, already: 0)))
        let added = effects.commits[0].writes.compactMap {
            if case .put(let key, _, cohort: _) = $0 { key } else { nil }
        }
        #expect(added == [EntryKey(id: EntryID(number: 2), address: one)])
    }

    @Test func `a new entry replaces the stored one that could not be read`() throws {
        let unreadable = [EntryKey(id: EntryID(number: 7), address: one)]
        let restored = Restored(lastEntry: EntryID(number: 9), unreadableEntries: unreadable)
        let harness = KeeperHarness(ignoring: .upkeep, restored: restored, status: nil)
        let (_, effects) = harness.ask(.add([one, two], tags: [], note: nil))
        harness.discardEffects()
        let added = effects.commits[0].writes.compactMap {
            if case .put(let key, _, cohort: _) = $0 { key } else { nil }
        }
        #expect(added.map(\.id.number) == [7, 10])
    }

    @Test func `cohorts without records are removed with the first commit`() {
        let restored = Restored(
            lastCohort: CohortID(number: 4), emptyCohorts: [CohortID(number: 2), CohortID(number: 4)])
        let harness = KeeperHarness(ignoring: .upkeep, restored: restored, status: nil)
        #expect(harness.holders.isEmpty)
        let (id, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(
            .commit(.adding([one]) + [.removeCohort(2), .removeCohort(4), .history]), .answer(id, .added(1, already: 0))
        )
        let (label, _) = harness.ask(.label([one], LabelChange(note: "new")))
        harness.expect(.commit([.put(one)]), .answer(label, .labelled(1)))
    }
}
