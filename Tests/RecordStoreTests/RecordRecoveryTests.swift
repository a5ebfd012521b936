import GRDB
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// A recovery attaches no record to another address, adds no address twice, and drops records that are incomplete.
@Suite(.timeLimit(.minutes(20))) struct RecordRecoveryTests: RecoverySuite {
    private static let count = 3_000

    /// The entry of an address. Its record names the address.
    private static func entry(_ number: Int) -> Entry {
        var record = RecordKeeping.Record()
        (record.city, record.asname, record.reverse) = ("city \(number)", "net \(number)", "host-\(number).example")
        return Entry(
            watch: Watch(byClient: true, note: "note \(number)"),
            scan: Scan(answer: .record(record), at: Sample.now, provider: "ip-api.com"))
    }

    /// Makes a database whose entries each have their own cohort, place and network, and a backup of it in this schema.
    /// Then the last address is removed, and another one gets its id.
    private static func folder(backupSchema: Int) async throws -> (TemporaryFolder, Backup, [IPAddress: Entry]) {
        let folder = try TemporaryFolder()
        let (removed, new) = (try Sample.address(count), try Sample.address(count + 1))
        let key = EntryKey(id: Sample.id(of: removed), address: new)
        let cohort = CohortID(number: Int64(count) + 1)
        let removal = PublishedEvent(seq: 3, at: now.wall, kind: .removed, address: removed)
        let (backup, entries) = try await folder.withStore { (store) async throws in
            try await store.commit(try Sample.writes(1...count, entry))
            try await store.commit([.event(Sample.event(1)), .event(Sample.event(2))])
            let backup = Backup(of: folder.database, at: now.wall)
            if backupSchema == 8 {
                try makeOldBackup(at: backup.path)
            } else {
                #expect(try await store.backUp(keeping: 7, at: now.wall) == backup)
            }
            try await store.commit([.remove(Sample.key(removed)), .event(removal)])
            try await store.commit([
                .cohort(cohort, at: Sample.now, provider: "ip-api.com"), .put(key, entry(count + 1), cohort: cohort),
            ])
            return (backup, try store.restored().byAddress)
        }
        return (folder, backup, entries)
    }

    /// Writes a backup of the watch list as schema 8 has it.
    private static func makeOldBackup(at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: OldDatabase.schema8)
        try queue.write { database in
            for number in 1...count {
                try database.execute(
                    sql: """
                        INSERT INTO entry (address, watched, by_client, by_file, pinned, note)
                          VALUES (?, 1, 1, 0, 0, ?)
                        """,
                    arguments: [try Sample.address(number).description, "note \(number)"])
            }
            try database.execute(sql: "UPDATE meta SET value = 2 WHERE name = 'last_seq'")
        }
        try queue.close()
    }

    /// Expects that each address has one entry, that each record is that of its address, and that the store works.
    private static func expectConsistency(
        _ folder: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [IPAddress: Entry] {
        let twice = try SQLite(folder.database).rows("SELECT address FROM entry GROUP BY address HAVING count(*) > 1")
        #expect(twice.isEmpty, sourceLocation: sourceLocation)
        let names = try SQLite(folder.database).rows("SELECT address, reverse FROM records").map { row in
            row.map { column in column.filter { $0 != "\"" } }
        }
        for row in names {
            // As in `Sample.address(_:)`.
            let number = try IPAddress(row[0]).low & 0xFFFF
            #expect(row[1] == "host-\(number).example", "\(row[0])", sourceLocation: sourceLocation)
        }
        return try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(unreadable.isEmpty, sourceLocation: sourceLocation)
            #expect(Set(restored.entries.map(\.key.id)).count == restored.entries.count, sourceLocation: sourceLocation)
            #expect(names.count == restored.entries.count { $0.cohort != nil }, sourceLocation: sourceLocation)
            // A new entry gets an id above all others.
            let key = EntryKey(id: EntryID(number: restored.lastEntry.number + 1), address: try Sample.address(9_999))
            let cohort = CohortID(number: restored.lastCohort.number + 1)
            try await store.commit([
                .cohort(cohort, at: Sample.now, provider: "ip-api.com"), .put(key, entry(9_999), cohort: cohort),
            ])
            var expected = restored.byAddress
            expected[key.address] = entry(9_999)
            #expect(try store.restored().byAddress == expected, sourceLocation: sourceLocation)
            return restored.byAddress
        }
    }

    // MARK: Lost entries

    @Test(arguments: [8, 9], DatabasePages.Place.allCases)
    func `entries of a damaged page are completed from a backup, without their records`(
        backupSchema: Int, place: DatabasePages.Place
    ) async throws {
        let (folder, backup, before) = try await Self.folder(backupSchema: backupSchema)
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(place, of: "entry"))
        let outcome = try Self.recover(folder.database)
        #expect(outcome.backup == backup && outcome.incomplete == ["entry"], "\(outcome)")
        #expect(outcome.records < Self.count && outcome.records > Self.count * 9 / 10, "\(outcome)")
        #expect(outcome.invalid == Self.count - outcome.records, "\(outcome)")

        let after = try await Self.expectConsistency(folder)
        #expect(after[try Sample.address(Self.count)] == nil, "a removed address does not return")
        // The new address is not in the backup, and shares the damaged page of the last entry.
        #expect((after[try Sample.address(Self.count + 1)] == nil) == (place == .last))
        #expect(after.count == (place == .last ? Self.count - 1 : Self.count))
        #expect(after.allSatisfy { before[$0.key]?.watch == $0.value.watch })
        #expect(after.allSatisfy { $0.value.scan == nil || before[$0.key]?.scan == $0.value.scan })
        #expect(after.count { $0.value.scan != nil } == outcome.records)
    }

    @Test(arguments: [8, 9]) func `if no entry can be read, all come from a backup, and no record is kept`(
        backupSchema: Int
    ) async throws {
        let (folder, backup, before) = try await Self.folder(backupSchema: backupSchema)
        let root = try SQLite(folder.database).rows("SELECT rootpage FROM sqlite_master WHERE name = 'entry'")
        try Self.overwrite(root.compactMap { Int($0[0]) }, in: folder)
        let outcome = try Self.recover(folder.database)
        #expect(outcome.backup == backup && outcome.incomplete == ["entry"], "\(outcome)")
        #expect(outcome.entries == Self.count - 1 && outcome.records == 0, "\(outcome)")
        let after = try await Self.expectConsistency(folder)
        #expect(after.allSatisfy { before[$0.key]?.watch == $0.value.watch && $0.value.scan == nil })
    }

    @Test func `without a backup, records of lost entries are dropped`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { try await $0.commit(Sample.writes(1...Self.count, Self.entry)) }
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(.middle, of: "entry"))
        let outcome = try Self.recover(folder.database)
        #expect(outcome.backup == nil && outcome.incomplete == ["entry"], "\(outcome)")
        #expect(outcome.entries == outcome.records && outcome.entries < Self.count, "\(outcome)")
        let after = try await Self.expectConsistency(folder)
        #expect(after.count == outcome.entries && after.allSatisfy { $0.value.scan != nil })
    }

    // MARK: Lost rows of records

    @Test(arguments: ["scan", "place", "network"], DatabasePages.Place.allCases)
    func `records that lack a row are dropped, and their entries are kept`(
        table: String, place: DatabasePages.Place
    ) async throws {
        let (folder, _, before) = try await Self.folder(backupSchema: 9)
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(place, of: table))
        let outcome = try Self.recover(folder.database)
        #expect(outcome.backup == nil && outcome.incomplete == [table], "\(outcome)")
        #expect(outcome.entries == Self.count && outcome.invalid == Self.count - outcome.records, "\(outcome)")
        #expect(outcome.records < Self.count && outcome.records > Self.count / 2, "\(outcome)")
        let after = try await Self.expectConsistency(folder)
        #expect(after.mapValues(\.watch) == before.mapValues(\.watch))
        #expect(after.allSatisfy { $0.value.scan == nil || before[$0.key]?.scan == $0.value.scan })
        #expect(after.count { $0.value.scan != nil } == outcome.records)
    }

    @Test func `if no cohort can be read, no record is kept`() async throws {
        let (folder, _, before) = try await Self.folder(backupSchema: 9)
        let root = try SQLite(folder.database).rows("SELECT rootpage FROM sqlite_master WHERE name = 'scan'")
        try Self.overwrite(root.compactMap { Int($0[0]) }, in: folder)
        let outcome = try Self.recover(folder.database)
        #expect(outcome.incomplete == ["scan"] && outcome.entries == Self.count && outcome.records == 0, "\(outcome)")
        let after = try await Self.expectConsistency(folder)
        #expect(after.mapValues(\.watch) == before.mapValues(\.watch))
    }

    @Test func `a record that refers to a missing row of a table that can be read is dropped`() async throws {
        let (folder, _, before) = try await Self.folder(backupSchema: 9)
        try SQLite(folder.database).run(
            "DELETE FROM scan WHERE id = 1; DELETE FROM place WHERE id = 2; DELETE FROM network WHERE id = 3")
        let outcome = try Self.recover(folder.database)
        #expect(outcome.incomplete.isEmpty && outcome.invalid == 3, "\(outcome)")
        #expect(outcome.entries == Self.count && outcome.records == Self.count - 3, "\(outcome)")
        let after = try await Self.expectConsistency(folder)
        var expected = before
        for number in 1...3 { expected[try Sample.address(number)]?.scan = nil }
        #expect(after == expected)
    }
}
