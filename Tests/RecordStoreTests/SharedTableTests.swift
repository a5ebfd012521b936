import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// Places and networks are stored once, however many records have them, and deleted when no record has them any more.
@Suite(.timeLimit(.minutes(20))) struct SharedTableTests {
    private static let address = IPAddress(v4: 0xC000_0001)

    private static func entry(city: String, asname: String) -> Entry {
        var record = RecordKeeping.Record()
        (record.city, record.asname) = (city, asname)
        return Entry(scan: Scan(answer: .record(record), at: Sample.now, provider: "ip-api.com"))
    }

    /// Returns writes that replace the record of one address again and again, by records in different networks.
    private static func replacements(_ numbers: ClosedRange<Int>) -> [Commit.Write] {
        numbers.flatMap { Sample.writes(address, entry(city: "Ulm", asname: "network \($0)")) }
    }

    /// Expects that the rows to which the records refer exist.
    private static func expectReferences(
        _ folder: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for table in ["scan", "place", "network"] {
            let lost = try SQLite(folder.database).rows(
                "SELECT id FROM record WHERE \(table) NOT IN (SELECT id FROM \(table))")
            #expect(lost.isEmpty, "\(table)", sourceLocation: sourceLocation)
        }
    }

    @Test func `records with the same place and network share their rows, after a restart as well`() async throws {
        let folder = try TemporaryFolder()
        for run in 0..<3 {
            try await folder.withStore { (store) async throws in
                _ = try store.restored()
                for commit in 0..<2 {
                    let first = 100 * run + 10 * commit + 1
                    let writes = try Sample.writes(first...first + 9) { number in
                        Self.entry(city: "Ulm", asname: number % 2 == 0 ? "even" : "odd")
                    }
                    try await store.commit(writes)
                }
            }
            #expect(try SQLite(folder.database).count(of: "record") == 20 * (run + 1))
            #expect(try SQLite(folder.database).rows("SELECT city FROM place") == [["\"Ulm\""]])
            let networks = try SQLite(folder.database).rows("SELECT asname FROM network ORDER BY id")
            #expect(networks == [["\"odd\""], ["\"even\""]])
        }
    }

    @Test func `rows that are added before the entries were restored get ids of their own`() async throws {
        let folder = try TemporaryFolder()
        let entries = try (1...3).map { (try Sample.address($0), Self.entry(city: "city \($0)", asname: "net \($0)")) }
        for (address, entry) in entries {
            try await folder.withStore { try await $0.commit(Sample.writes(address, entry)) }
        }
        let restored = try await folder.withStore { try $0.restored() }
        #expect(restored.byAddress == Dictionary(uniqueKeysWithValues: entries))
    }

    @Test func `canonically equivalent texts keep their bytes, after a restart as well`() async throws {
        let folder = try TemporaryFolder()
        let texts = ["\u{E9}", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", "\u{E9}"]
        for run in 0..<2 {
            let restored = try await folder.withStore { (store) async throws in
                let before = try store.restored()
                // In the second run, each address gets the text of the next one.
                let writes = try Sample.writes(1...texts.count) { number in
                    let text = texts[(number - 1 + run) % texts.count]
                    return Self.entry(city: text, asname: text)
                }
                try await store.commit(writes)
                return before
            }
            guard run > 0 else { continue }
            Self.expectTexts(texts, in: restored.byAddress)
        }
        let restored = try await folder.withStore { try $0.restored() }
        Self.expectTexts(Array(texts.dropFirst() + texts.prefix(1)), in: restored.byAddress)
    }

    /// Expects that the records of the addresses with the numbers 1, 2, … have these texts.
    private static func expectTexts(
        _ texts: [String], in entries: [IPAddress: Entry], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(entries.count == texts.count, sourceLocation: sourceLocation)
        for (address, text) in zip(entries.keys.sorted(), texts) {
            let record = entries[address]?.scan?.answer.record
            for stored in [record?.city, record?.asname] {
                #expect(stored.map { Array($0.utf8) } == Array(text.utf8), "\(address)", sourceLocation: sourceLocation)
            }
        }
    }

    // MARK: Failures

    @Test(arguments: ["ABORT", "FAIL", "ROLLBACK"])
    func `after a failed commit, the next one adds the rows of the same values`(action: String) async throws {
        let folder = try TemporaryFolder()
        let (one, two, three) = (Self.address, try Sample.address(2), try Sample.address(3))
        let (kept, new) = (Self.entry(city: "Ulm", asname: "a"), Self.entry(city: "Aalen", asname: "b"))
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(one, kept))
            let database = try SQLite(folder.database)
            try database.refuseFailedEvents(by: action)
            let before = try database.everything()
            let writes = Sample.writes(two, new) + Sample.writes(one, new) + Sample.writes(three, kept)
            await #expect(throws: StoreError.self) {
                try await store.commit(writes + [.event(Sample.event(1, .failed))])
            }
            #expect(try database.everything() == before)

            try await store.commit(writes)
            try Self.expectReferences(folder)
            #expect(try database.count(of: "place") == 2 && database.count(of: "network") == 2)
        }
        let restored = try await folder.withStore { try $0.restored() }
        #expect(restored.byAddress == [one: new, two: new, three: kept])
    }

    // MARK: Unused rows

    @Test func `unused rows are deleted once there are more than 10,000 of them`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            let database = try SQLite(folder.database)
            try await store.commit(Self.replacements(1...10_000))
            try await store.commit([])
            #expect(try database.count(of: "network") == 10_000)
            try await store.commit(Self.replacements(10_001...10_001))
            #expect(try database.count(of: "network") == 10_001, "they are deleted by the next commit")
            try await store.commit([])
            #expect(try database.rows("SELECT id, asname FROM network") == [["10001", "\"network 10001\""]])
            #expect(try database.count(of: "place") == 1)

            // A deleted value gets a new row, and the remaining value keeps its row.
            try await store.commit(Self.replacements(10_000...10_001))
            #expect(try database.rows("SELECT id FROM network ORDER BY id") == [["10001"], ["10002"]])
            try Self.expectReferences(folder)
            #expect(try store.restored().byAddress == [Self.address: Self.entry(city: "Ulm", asname: "network 10001")])
        }
    }

    @Test(arguments: [(10_002, 10_002), (10_003, 1)])
    func `unused rows of an earlier run are deleted`(count: Int, left: Int) async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { try await $0.commit(Self.replacements(1...count)) }
        try await folder.withStore { (store) async throws in
            // One row is used.
            _ = try store.restored()
            try await store.commit([])
            #expect(try SQLite(folder.database).count(of: "network") == left)
            try Self.expectReferences(folder)
        }
        let restored = try await folder.withStore { try $0.restored() }
        #expect(restored.byAddress == [Self.address: Self.entry(city: "Ulm", asname: "network \(count)")])
    }

    @Test func `a failed deletion of unused rows has no effect, and a later one deletes them`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            let database = try SQLite(folder.database)
            try await store.commit(Self.replacements(1...10_003))
            try database.refuseFailedEvents()
            let before = try database.everything()
            await #expect(throws: StoreError.self) { try await store.commit([.event(Sample.event(1, .failed))]) }
            #expect(try database.everything() == before)

            // The row of this value is still there, but may be deleted at any time.
            try await store.commit(Self.replacements(5...5))
            try Self.expectReferences(folder)
            #expect(try store.restored().byAddress == [Self.address: Self.entry(city: "Ulm", asname: "network 5")])
            // The restore has counted the rows again.
            try await store.commit([])
            #expect(
                try database.rows("SELECT asname FROM network WHERE id IN (SELECT network FROM record)") == [
                    ["\"network 5\""]
                ])
            #expect(try database.count(of: "network") <= 2, "the one that the record had before may still be there")
            try Self.expectReferences(folder)
        }
    }

    @Test func `rows that are used are not deleted`() async throws {
        let folder = try TemporaryFolder()
        let entries = try (2...50).map { (try Sample.address($0), Self.entry(city: "city \($0)", asname: "net \($0)")) }
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(Dictionary(uniqueKeysWithValues: entries)))
            try await store.commit(Self.replacements(1...10_001))
            try await store.commit([])
            let database = try SQLite(folder.database)
            #expect(try database.count(of: "place") == 50 && database.count(of: "network") == 50)
            try Self.expectReferences(folder)
        }
        let restored = try await folder.withStore { try $0.restored() }
        let last = (Self.address, Self.entry(city: "Ulm", asname: "network 10001"))
        #expect(restored.byAddress == Dictionary(uniqueKeysWithValues: entries + [last]))
    }
}
