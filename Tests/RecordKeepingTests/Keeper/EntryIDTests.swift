import Testing

@testable import RecordKeeping

/// The ids of stored entries.
@Suite struct EntryIDTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    /// Returns the ids of the entries that commits create or update.
    private func ids(_ effects: [Effect]) -> [Int64] {
        effects.commits.flatMap(\.writes).compactMap {
            if case .put(let key, _, cohort: _) = $0 { key.id.number } else { nil }
        }
    }

    /// Returns the ids of the entries that commits remove.
    private func removedIDs(_ effects: [Effect]) -> [Int64] {
        effects.commits.flatMap(\.writes).compactMap { if case .remove(let key) = $0 { key.id.number } else { nil } }
    }

    /// Returns a keeper without calls, because the route has not been checked.
    private func harness(restored: Restored = Restored()) -> KeeperHarness {
        KeeperHarness(ignoring: .all, restored: restored, status: nil)
    }

    @Test func `ids ascend, and those of removed entries are not used again in the same run`() {
        let harness = harness()
        #expect(ids(harness.add(addresses(3))) == [1, 2, 3])
        #expect(removedIDs(harness.ask(.remove(addresses(3))).1) == [1, 2, 3])
        #expect(ids(harness.add(addresses(1))) == [4])
    }

    @Test func `ids continue after those of earlier runs`() {
        let harness = harness(restored: Restored(lastEntry: EntryID(number: 9)))
        #expect(ids(harness.add([one])) == [10])
    }

    @Test func `an entry keeps its id when it changes`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        #expect(ids(harness.ask(.label([one], LabelChange(note: "new"))).1) == [1])
        let call = try #require(harness.pass(.seconds(300) + Limits.gather).calls.first)
        #expect(ids(harness.reply(to: call, .inBonn)) == [1])
    }

    @Test func `the entry of a removed address with a fresh record is a new one`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        let removal = harness.ask(.remove([one])).1
        #expect(removedIDs(removal) == [1] && ids(removal) == [2])
        #expect(ids(harness.add([one])) == [2], "the address is watched again")
    }

    @Test func `a lookup is stored with its record`() throws {
        let harness = KeeperHarness(ignoring: .all)
        #expect(ids(harness.add([two])) == [1])
        harness.ask(.show([one], wait: .seconds(5)))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        #expect(call.addresses == [two, one])
        #expect(ids(harness.reply(to: call)) == [1, 2])
        #expect(removedIDs(harness.pass(.seconds(301))) == [2], "the record of the lookup has expired")
    }

    @Test func `ids of a commit that fails are used again`() {
        let harness = harness()
        harness.disk = .waits
        #expect(ids(harness.add([one, two])) == [1, 2])
        harness.failToWrite()
        #expect(ids(harness.add([two])) == [1])
        harness.write()
        #expect(ids(harness.add([one])) == [2])
    }
}
