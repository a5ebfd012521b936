import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// A record that cannot be read does not affect its entry or other records, and its ids are not used again.
@Suite(.timeLimit(.minutes(20))) struct UnreadableRecordTests {
    private static func entry(_ number: Int) -> Entry {
        var entry = Sample.entry(note: "net \(number)")
        var record = RecordKeeping.Record()
        (record.city, record.asname, record.reverse) = ("city \(number)", "net \(number)", "host-\(number).example")
        entry.scan?.answer = .record(record)
        return entry
    }

    /// Returns a database of the entries with the numbers 1 to 5, each with its own cohort, place and network, and
    /// these entries.
    private static func folder() async throws -> (TemporaryFolder, [IPAddress: Entry]) {
        let folder = try TemporaryFolder()
        let entries = Dictionary(uniqueKeysWithValues: try (1...5).map { (try Sample.address($0), entry($0)) })
        try await folder.withStore { try await $0.commit(Sample.writes(1...5, entry)) }
        return (folder, entries)
    }

    private static func restore(_ store: Store) throws -> (restored: Found, unreadable: [Store.UnreadableRow]) {
        try store.restore(at: Sample.now, bootID: Sample.bootID)
    }

    /// The last number is that of the largest id.
    @Test(arguments: ["scan", "place", "network"], [2, 5])
    func `an entry whose record lacks a row is restored without the record`(table: String, number: Int) async throws {
        let (folder, entries) = try await Self.folder()
        let address = try Sample.address(number)
        try SQLite(folder.database).run(
            "DELETE FROM \(table) WHERE id = (SELECT \(table) FROM record WHERE id = \(number))")
        var expected = entries
        expected[address]?.scan = nil
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try Self.restore(store)
            #expect(unreadable == [.init(table: "record", key: "\(address)", reason: "invalid \(table)")])
            #expect(restored.byAddress == expected)
            let cohorts = restored.entries.sorted { $0.key.id < $1.key.id }.map { $0.cohort?.number }
            #expect(cohorts == (1...5).map { $0 == number ? nil : Int64($0) })
            #expect(restored.lastCohort == CohortID(number: 5) && restored.lastEntry == EntryID(number: 5))
            #expect(restored.emptyCohorts.isEmpty, "the record still refers to its cohort")

            // The next record of the address takes its place.
            let next = CohortID(number: restored.lastCohort.number + 1)
            try await store.commit([
                .cohort(next, at: Sample.now, provider: "ip-api.com"),
                .put(Sample.key(address), Self.entry(number), cohort: next),
            ])
        }
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try Self.restore(store)
            #expect(unreadable.isEmpty && restored.byAddress == entries)
        }
    }

    @Test func `the id of a lost row to which a record refers is not given to another value`() async throws {
        let (folder, entries) = try await Self.folder()
        try SQLite(folder.database).run("DELETE FROM place WHERE id = 5; DELETE FROM network WHERE id = 5")
        let new = try Sample.address(6)
        try await folder.withStore { (store) async throws in
            _ = try store.restored()
            try await store.commit(Sample.writes(new, Self.entry(6)))
        }
        var expected = entries
        expected[try Sample.address(5)]?.scan = nil
        expected[new] = Self.entry(6)
        #expect(try await folder.withStore { try $0.restored() }.byAddress == expected)
    }

    @Test func `the id of a record without an entry is not given to another entry`() async throws {
        let (folder, entries) = try await Self.folder()
        try SQLite(folder.database).run("PRAGMA foreign_keys = OFF; DELETE FROM entry WHERE id = 5")
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try Self.restore(store)
            #expect(unreadable.isEmpty && restored.lastEntry == EntryID(number: 5))
            #expect(restored.byAddress == entries.filter { Sample.id(of: $0.key) != EntryID(number: 5) })
        }
    }

    @Test func `the id of an entry that cannot be read is not given to another entry`() async throws {
        let (folder, entries) = try await Self.folder()
        try SQLite(folder.database).run("UPDATE entry SET tags = '[' WHERE id = 5")
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try Self.restore(store)
            #expect(unreadable.map(\.key) == ["192.0.0.5"] && restored.lastEntry == EntryID(number: 5))
            #expect(restored.byAddress == entries.filter { Sample.id(of: $0.key) != EntryID(number: 5) })
            #expect(restored.emptyCohorts.isEmpty)
        }
    }

    /// The length of a postal code is kept in two bytes.
    @Test(arguments: [(65_535, "x"), (65_536, "x"), (32_767, "\u{E9}"), (32_768, "\u{E9}"), (200_000, "x")])
    func `a postal code that is too long is reported`(count: Int, character: String) async throws {
        let (folder, entries) = try await Self.folder()
        let address = try Sample.address(3)
        let zip = String(repeating: character, count: count)
        try SQLite(folder.database).run("UPDATE record SET zip = '\(zip)' WHERE id = 3")
        let isReadable = zip.utf8.count <= 65_535
        var expected = entries
        if isReadable, case .record(var record)? = entries[address]?.scan?.answer {
            record.zip = zip
            expected[address]?.scan?.answer = .record(record)
        } else {
            expected[address]?.scan = nil
        }
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try Self.restore(store)
            #expect(unreadable.map(\.description) == (isReadable ? [] : ["record \(address): invalid zip"]))
            #expect(restored.byAddress == expected)
            try await store.commit(Sample.writes(address, Self.entry(3)))
            #expect(try store.restored().byAddress == entries)
        }
    }
}
