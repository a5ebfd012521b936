import GRDB
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// The migration to schema 9 keeps every value, and leaves out only rows that are damaged.
@Suite(.timeLimit(.minutes(20))) struct RecordMigrationTests {
    /// Compares everything that a store restores with the values of the old database.
    private static func expectEverything(_ store: Store) async throws {
        let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
        #expect(unreadable.isEmpty)
        let saved = try SchemaEight.savedEntries()
        #expect(restored.entries.map(\.key) == saved.map(\.key))
        for (found, expected) in zip(restored.entries, saved) {
            #expect(found.entry == expected.entry, "\(expected.key.address)")
        }
        let cohorts = zip(saved, restored.entries).map { [$0.cohort, $1.cohort] }
        #expect(cohorts.allSatisfy { ($0[0] == nil) == ($0[1] == nil) }, "only an entry with a record has a cohort")
        for side in 0...1 {
            #expect(Set(cohorts).count == Set(cohorts.map { $0[side] }).count, "each call has one cohort")
        }
        let cities = restored.entries.compactMap { $0.entry.scan?.answer.record?.city }.map { Array($0.utf8) }
        #expect(cities == ["K\u{F6}ln", "K\u{F6}ln", "Ko\u{308}ln"].map { Array($0.utf8) }, "texts keep their bytes")
        try expectState(restored)
        let events = try SchemaEight.events()
        #expect(try await store.events(after: 0) == events)
        for event in events where event.kind == .changed {
            let changes = try await store.changes(of: try #require(event.address))
            #expect(changes == [event])
        }
        let open = try #require(try SchemaEight.rest().outage)
        #expect(try await store.outages() == [open, SchemaEight.endedOutage])
        #expect(store.changeCount == 2)
    }

    private static func expectState(_ restored: Found) throws {
        let rest = try SchemaEight.rest()
        #expect(restored.lastSeq == rest.lastSeq && restored.oldestSeq == rest.oldestSeq)
        #expect(restored.windows == rest.windows)
        #expect(restored.health == rest.health)
        #expect(restored.networkLoss == rest.networkLoss)
        #expect(restored.outage == rest.outage && restored.lastOutage == rest.lastOutage)
        #expect(restored.historyClock == rest.historyClock && restored.historyMarks == rest.historyMarks)
        #expect(restored.unloggedAlerts == rest.unloggedAlerts)
        #expect(restored.hasFileEntries == rest.hasFileEntries)
        #expect(restored.lastEntry == rest.lastEntry && restored.lastCohort == rest.lastCohort)
        #expect(restored.emptyCohorts.isEmpty)
    }

    @Test func `every value of a database is migrated, and a second start changes nothing`() async throws {
        let folder = try TemporaryFolder()
        try SchemaEight.make(at: folder.database)
        try await folder.withStore { try await Self.expectEverything($0) }
        let database = try SQLite(folder.database).everything()
        try await folder.withStore { try await Self.expectEverything($0) }
        #expect(try SQLite(folder.database).everything() == database)
        #expect(try SQLite(folder.database).rows("PRAGMA foreign_key_check").isEmpty)
        #expect(try SQLite(folder.database).rows("PRAGMA integrity_check") == [["\"ok\""]])
    }

    @Test func `equal places and networks get one row`() async throws {
        let folder = try TemporaryFolder()
        try SchemaEight.make(at: folder.database)
        try Store(path: folder.database).close()
        let database = try SQLite(folder.database)
        #expect(try database.count(of: "scan") == 3)
        // Canonically equivalent texts are different values.
        #expect(try database.count(of: "place") == 4 && database.count(of: "network") == 3)
        #expect(try database.count(of: "records") == database.count(of: "record"))
        #expect(try database.count(of: "sqlite_master WHERE name LIKE '%old%' OR name LIKE '%values%'") == 0)
    }

    @Test func `a migrated database is changed like any other`() async throws {
        let folder = try TemporaryFolder()
        try SchemaEight.make(at: folder.database)
        var expected = Dictionary(
            uniqueKeysWithValues: try SchemaEight.savedEntries().map { ($0.key.address, $0.entry) })
        let (gone, new) = (try IPAddress("6.6.6.6"), Sample.entry(note: "new"))
        try await folder.withStore { (store) async throws in
            let restored = try store.restored()
            let key = try #require(restored.entries.first { $0.key.address == gone }?.key)
            let other = EntryKey(id: EntryID(number: 8), address: try Sample.address(1))
            let cohort = CohortID(number: 4)
            try await store.commit([
                .remove(key), .cohort(cohort, at: Sample.now, provider: "ip-api.com"), .put(other, new, cohort: cohort),
            ])
        }
        expected[gone] = nil
        expected[try Sample.address(1)] = new
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().byAddress == expected)
            #expect(try await store.changes(of: gone).isEmpty)
        }
    }

    /// Makes a database of schema 8 in which each address has an entry, and a record of the given call.
    ///
    /// - Parameter time: returns the Unix milliseconds of the call; nil for an address without a record.
    private static func make(_ folder: TemporaryFolder, _ numbers: ClosedRange<Int>, time: (Int) -> Int?) throws {
        let queue = try DatabaseQueue(path: folder.database)
        try Schema.migrator.migrate(queue, upTo: OldDatabase.schema8)
        try queue.write { database in
            try database.execute(
                sql: "INSERT INTO boot VALUES (1, ?), (2, ?)", arguments: [Sample.bootID, Sample.otherBootID])
            for number in numbers {
                let address = try Sample.address(number).description
                try database.execute(
                    sql: "INSERT INTO entry (address, watched, by_client, by_file, pinned) VALUES (?, 1, 1, 0, 0)",
                    arguments: [address])
                guard let time = time(number) else { continue }
                try database.execute(
                    sql: """
                        INSERT INTO record (address, provider, scanned_at, scanned_boot_ns, scanned_boot, reverse)
                          VALUES (?, 'ip-api.com', ?, ?, 1, ?)
                        """,
                    arguments: [address, time, time * 1_000_000, "host-\(number).example"])
            }
        }
        try queue.close()
    }

    @Test func `entries that were fetched together get consecutive ids, in the order of the calls`() async throws {
        let folder = try TemporaryFolder()
        // Three calls, the first one for the highest numbers, and addresses without a record.
        try Self.make(folder, 1...400) { $0 % 4 == 3 ? nil : 1_000 * (4 - $0 % 4) }
        try await folder.withStore { (store) async throws in
            let restored = try store.restored()
            let expected = try [3, 2, 1, 0].flatMap { remainder in
                try (1...400).filter { $0 % 4 == remainder }.map { try Sample.address($0) }
                    .sorted { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) }
            }
            #expect(restored.entries.map(\.key.address) == expected)
            #expect(restored.entries.map(\.key.id.number) == Array(1...400))
            let cohorts = restored.entries.map { $0.cohort?.number }
            #expect(cohorts == [nil, 1, 2, 3].flatMap { Array(repeating: $0, count: 100) })
            let database = try SQLite(folder.database)
            for saved in restored.entries where saved.cohort != nil {
                let name = try database.text("SELECT reverse FROM records WHERE address = '\(saved.key.address)'")
                #expect(saved.entry.scan?.answer.record?.reverse == name && name.hasPrefix("host-"))
            }
        }
    }

    // MARK: Damage

    /// Values that a column cannot have, which SQLite does not convert to the type of the column.
    private static func wrongValues(_ type: String, isRequired: Bool) -> [String] {
        let values =
            switch type {
            case "INTEGER": ["'a text'", "0.5", "x'fffe'"]
            case "REAL": ["'a text'", "x'fffe'"]
            default: ["x'fffe'"]
            }
        return values + (isRequired ? ["NULL"] : [])
    }

    /// Each case of damage has an address of its own. The other addresses are intact.
    @Test(arguments: ["entry", "record"])
    func `in an entry, a value of a wrong type is replaced; such a record is left out`(table: String) async throws {
        let schema = try TemporaryFolder()
        try SchemaEight.make(at: schema.database)
        let columns = try SQLite(schema.database).rows(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(table)')"
        ).map { row in row.map { column in column.filter { $0 != "\"" } } }
        let cases = columns.flatMap { column in
            // A key that is NULL is refused even without checks.
            Self.wrongValues(column[1], isRequired: column[2] == "1" && column[3] == "0").map { (column[0], $0) }
        }
        #expect(cases.count > columns.count)
        let count = cases.count + 5
        let folder = try TemporaryFolder()
        try Self.make(folder, 1...count) { _ in 1_789_999_990_123 }
        try SQLite.withoutChecks(of: table, in: folder.database) {
            let database = try SQLite(folder.database)
            for (index, damage) in cases.enumerated() {
                try database.run(
                    """
                    PRAGMA foreign_keys = OFF;
                    UPDATE \(table) SET \(damage.0) = \(damage.1) WHERE address = '\(try Sample.address(index + 1))'
                    """)
            }
        }
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(unreadable.isEmpty)
            let damaged = try (1...cases.count).map { try Sample.address($0) }
            let intact = try (cases.count + 1...count).map { try Sample.address($0) }
            let lost =
                table == "entry" ? Set(damaged.indices.filter { cases[$0].0 == "address" }.map { damaged[$0] }) : []
            #expect(Set(restored.entries.map(\.key.address)) == Set(damaged + intact).subtracting(lost))
            for (number, address) in (damaged + intact).enumerated() where !lost.contains(address) {
                let entry = try #require(restored.byAddress[address])
                let isIntact = number >= damaged.count
                let name = table == "entry" || isIntact ? "host-\(number + 1).example" : nil
                let place = isIntact ? "intact" : "\(cases[number])"
                #expect(entry.scan?.answer.record?.reverse == name && entry.watch != nil, "\(place)")
            }
            // The rows can be written again.
            try await store.commit(Sample.writes(try Sample.address(count + 1), Sample.entry()))
        }
        #expect(try SQLite(folder.database).rows("PRAGMA foreign_key_check").isEmpty)
    }

    /// SQLite does not check a foreign key when a row is read, so the daemon has started with such a database before.
    @Test func `a row that refers to a boot without a row is migrated`() async throws {
        let folder = try TemporaryFolder()
        try SchemaEight.make(at: folder.database)
        try SQLite(folder.database).run("PRAGMA foreign_keys = OFF; DELETE FROM boot WHERE id = 2")
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(unreadable.isEmpty)
            #expect(restored.entries.map(\.entry) == (try SchemaEight.savedEntries()).map(\.entry))
        }
    }
}
