import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// A start restores exactly what was committed.
@Suite(.timeLimit(.minutes(20))) struct RoundTripTests {
    /// Commits the entries, closes the store, opens it again and restores it.
    private static func reopened(_ entries: [IPAddress: Entry]) async throws -> Found {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(entries))
        }
        return try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(unreadable.isEmpty)
            #expect(restored.entries.count == entries.count)
            return restored
        }
    }

    @Test(arguments: 1...UInt64(8))
    func `all committed entries are restored`(seed: UInt64) async throws {
        var sample = Sample(seed: seed)
        var entries: [IPAddress: Entry] = [:]
        for _ in 0..<150 { entries[sample.address()] = sample.entry() }
        #expect(try await Self.reopened(entries).byAddress == entries)
    }

    @Test(arguments: [0, 1, 4_096, 4_097, 20_000])
    func `any number of entries is read once, and each unreadable row is reported once`(count: Int) async throws {
        let folder = try TemporaryFolder()
        var sample = Sample(seed: 3)
        // Few different entries, so that both readers find equal ones.
        let some = (0..<7).map { _ in sample.entry() }
        let addresses = (0..<count).map { IPAddress(v4: UInt32(truncatingIfNeeded: 0x0100_0000 + $0 * 0x9E37)) }
        let entries = Dictionary(uniqueKeysWithValues: addresses.enumerated().map { ($1, some[$0 % some.count]) })
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(entries))
        }
        let damaged = Set(addresses.enumerated().filter { $0.offset % 999 == 998 }.map(\.element))
        let list = damaged.map { "'\($0)'" }.joined(separator: ", ")
        try SQLite(folder.database).run("UPDATE entry SET tags = '[', watched = 1 WHERE address IN (\(list))")
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(restored.entries.count == count - damaged.count)
            #expect(restored.byAddress == entries.filter { !damaged.contains($0.key) })
            for saved in restored.entries where saved.key != Sample.key(saved.key.address) {
                Issue.record("\(saved.key.address) has the id \(saved.key.id.number)")
            }
            #expect(restored.entries.allSatisfy { ($0.cohort == nil) == ($0.entry.scan == nil) })
            #expect(restored.entries.allSatisfy { $0.cohort == nil || $0.cohort == Sample.cohort(of: $0.key.address) })
            #expect(unreadable.map(\.key).sorted() == damaged.map(\.description).sorted())
        }
    }

    /// The key of the record of 10.0.0.30 is changed. The record is then out of order, under an id that either no entry
    /// has, or that another entry with its own record has.
    @Test(arguments: [100, 9_000], [Int64(0), 71])
    func `a record out of order affects only entries that SQLite misses as well`(
        count: Int, damaged: Int64
    ) async throws {
        let folder = try TemporaryFolder()
        let addresses = (0..<count).map { IPAddress(v4: 0x0A00_0000 + UInt32($0)) }
        func entry(_ number: Int) -> Entry {
            var record = Record()
            record.reverse = "host-\(number).example"
            return Entry(
                watch: Watch(byClient: true),
                scan: Scan(answer: .record(record), at: Sample.now, provider: "ip-api.com"))
        }
        let cohort = CohortID(number: 1)
        let puts = addresses.enumerated().map { number, address in
            let key = EntryKey(id: EntryID(number: Int64(number) + 1), address: address)
            return Commit.Write.put(key, entry(number), cohort: cohort)
        }
        try await folder.withStore { (store) async throws in
            try await store.commit([.cohort(cohort, at: Sample.now, provider: "ip-api.com")] + puts)
        }
        var pages = try DatabasePages(folder.database)
        #expect(try pages.replaceKey(31, with: damaged, of: "record"))
        // SQLite misses records as well.
        let database = try SQLite(folder.database)
        let bySQLite = try (1...count).map { try database.text("SELECT reverse FROM record WHERE id = \($0)") }
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(unreadable.isEmpty && restored.entries.count == count)
            let found = restored.byAddress
            var lost = 0
            for (number, address) in addresses.enumerated() {
                let name = found[address]?.scan?.answer.record?.reverse
                let isRight = name == "host-\(number).example"
                #expect(isRight || name == nil || name == bySQLite[number], "\(address) has \(name ?? "nothing")")
                if !isRight { lost += 1 }
                if !isRight { #expect(bySQLite[number] != "host-\(number).example", "lost record of \(address)") }
            }
            #expect(lost > 0 && lost < count / 2)
        }
    }

    @Test(arguments: 1...UInt64(4))
    func `entries that replace others are restored`(seed: UInt64) async throws {
        var sample = Sample(seed: seed)
        let addresses = try (0..<100).map(Sample.address)
        var expected: [IPAddress: Entry] = [:]
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            for _ in 0..<5 {
                for address in addresses { expected[address] = sample.entry() }
                // A record without a successor is removed with its entry.
                let bare = expected.filter { $0.value.scan == nil }.keys
                try await store.commit(bare.map { Commit.Write.remove(Sample.key($0)) } + Sample.writes(expected))
            }
        }
        #expect(try await folder.withStore { try $0.restored() }.byAddress == expected)
    }

    @Test func `each combination of optional fields of an entry is restored`() async throws {
        var sample = Sample(seed: 1)
        var watches: [Watch?] = [nil]
        for bits in 0..<64 {
            func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
            watches.append(
                Watch(
                    byClient: has(0), byFile: has(1), overrides: has(1) ? [.tags] : [], isPinned: has(2),
                    end: has(0) && has(5) ? WatchEnd(until: Sample.now.wall, elapsed: .milliseconds(1_001)) : nil,
                    tags: has(3) ? ["dns", "東京"] : [],
                    note: has(4) ? "note" : nil))
        }
        let scans = [
            nil, Scan(answer: .record(sample.record()), at: Sample.now, provider: "ip-api.com"),
            Scan(answer: .empty(reason: "reserved range"), at: Sample.now, provider: "pro.ip-api.com"),
        ]
        var entries: [IPAddress: Entry] = [:]
        for watch in watches {
            for scan in scans {
                for changedAt in [nil, Sample.now.wall] {
                    for failure in [nil, sample.failure()] {
                        entries[try Sample.address(entries.count)] = Entry(
                            watch: watch, scan: scan, changedAt: changedAt, failure: failure)
                    }
                }
            }
        }
        #expect(entries.count == 65 * 3 * 2 * 2)
        #expect(try await Self.reopened(entries).byAddress == entries)
    }

    @Test func `each field of a record has its own column`() async throws {
        var records = Record.texts.map { field in
            var record = Record()
            record[keyPath: field] = "only this"
            return record
        }
        records += Record.flags.flatMap { field in
            [true, false].map { flag in
                var record = Record()
                record[keyPath: field] = flag
                return record
            }
        }
        var (north, east, ahead) = (Record(), Record(), Record())
        north.lat = 52
        east.lon = -0.000_000_1
        ahead.offset = -43_200
        records += [north, east, ahead, Record()]
        var entries: [IPAddress: Entry] = [:]
        for record in records {
            entries[try Sample.address(entries.count)] = Entry(
                scan: Scan(answer: .record(record), at: Sample.now, provider: "ip-api.com"))
        }
        #expect(entries.count == Record.Field.allCases.count - 1 + Record.flags.count + 1)
        #expect(try await Self.reopened(entries).byAddress == entries)
    }

    @Test func `a text keeps its Unicode scalars, and is not normalized`() async throws {
        let address = try Sample.address(1)
        for text in ["e\u{301}", "\u{E9}", "\u{212B}", "\u{1100}\u{1161}"] {
            let entries = [address: Entry(watch: Watch(byClient: true, tags: [text], note: text))]
            let watch = try #require(try await Self.reopened(entries).byAddress[address]?.watch)
            #expect(watch.note.map { Array($0.utf8) } == Array(text.utf8))
            #expect(watch.tags.map { Array($0.utf8) } == [Array(text.utf8)])
        }
    }

    @Test(arguments: 1...UInt64(4))
    func `all committed events are restored`(seed: UInt64) async throws {
        var sample = Sample(seed: seed)
        let events = (1...200).map { sample.event($0) }
        let folder = try TemporaryFolder()
        try await folder.withStore { try await $0.commit(events.map(Commit.Write.event)) }
        try await folder.withStore { (store) async throws in
            #expect(try await store.events(after: 0) == events)
            let restored = try store.restored()
            #expect(restored.lastSeq == 200)
            #expect(restored.oldestSeq == 1)
        }
    }

    @Test func `a new store is empty`() async throws {
        let restored = try await TemporaryFolder().withStore { try $0.restored() }
        #expect(restored.entries.isEmpty)
        #expect(restored.lastSeq == 0)
        #expect(restored.oldestSeq == nil)
        #expect(restored.windows.isEmpty)
        #expect(restored.health.isEmpty)
        #expect(restored.networkLoss == nil)
        #expect(restored.lastEntry == EntryID(number: 0))
        #expect(restored.lastCohort == CohortID(number: 0))
    }
}
