import Foundation
import RecordKeeping
import Synchronization
import TestSupport
import Testing

@testable import RecordStore

/// A backup contains the data that cannot be fetched again, and can take the place of the database.
@Suite(.timeLimit(.minutes(20))) struct BackupTests {
    static let now = Instant(
        boot: BootTime(nanoseconds: 50_000_000_000), wall: WallTime(milliseconds: 1_800_000_000_999))

    static func day(_ number: Int) -> WallTime { now.wall + .seconds(86_400 * number) }

    /// Writes entries with records, a lookup, events of all kinds and an outage.
    static func fill(_ store: Store) async throws {
        var sample = Sample(seed: 4)
        let events = (1...40).map { sample.event($0) }
        let outage = Outage(
            number: 1, since: now.wall, until: now.wall + .seconds(60), cause: .network, message: "no route",
            deferred: 3)
        let entries = try Sample.writes(1...500) { Sample.entry(note: "note \($0)") }
        try await store.commit(entries + events.map { .event($0) } + [.outage(outage)])
    }

    private static func rows(_ path: String, _ table: String, where condition: String = "TRUE") throws -> [[String]] {
        try SQLite(path).rows("SELECT * FROM \(table) WHERE \(condition) ORDER BY 1")
    }

    @Test func `a backup contains the watch list and the history, but no records`() async throws {
        let folder = try TemporaryFolder()
        let backup = try await folder.withStore { (store) async throws in
            try await Self.fill(store)
            return try #require(try await store.backUp(keeping: 7, at: Self.now.wall))
        }
        #expect(backup.path == folder.database + ".backup-1800000000")
        #expect(folder.mode(".backup-1800000000") == 0o600)
        #expect(try backup.contents() == .init(addresses: 500, events: 40))
        for table in ["notice", "change", "outage", "boot", "meta", "grdb_migrations"] {
            #expect(try Self.rows(backup.path, table) == Self.rows(folder.database, table), "\(table)")
        }
        #expect(try Self.rows(backup.path, "entry") == Self.rows(folder.database, "entry", where: "watched"))
        for table in ["record", "scan", "place", "network", "records"] {
            #expect(try SQLite(folder.database).count(of: table) > 0, "\(table)")
            #expect(try SQLite(backup.path).count(of: table) == 0, "\(table)")
        }
    }

    @Test func `a backup is made only if something has changed`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await Self.fill(store)
            #expect(try await store.backUp(keeping: 7, at: Self.day(0)) != nil)
            #expect(try await store.backUp(keeping: 7, at: Self.day(1)) == nil)
            // A refresh without a change.
            let second = Sample.key(try Sample.address(2))
            try await store.commit(Sample.writes(second.address, Sample.entry(note: "note 2")))
            #expect(try await store.backUp(keeping: 7, at: Self.day(2)) == nil)
            try await store.commit([.put(second, Sample.entry(note: "other"), cohort: nil)])
            #expect(try await store.backUp(keeping: 7, at: Self.day(3)) != nil)
            try await store.commit([.event(Sample.event(41))])
            #expect(try await store.backUp(keeping: 7, at: Self.day(4)) != nil)
            try await store.commit([.remove(Sample.key(try Sample.address(3)))])
            #expect(try await store.backUp(keeping: 7, at: Self.day(5)) != nil)
            #expect(
                try Backup.all(of: folder.database).map(\.madeAt.milliseconds)
                    == [5, 4, 3, 0].map {
                        Self.day($0).milliseconds / 1_000 * 1_000
                    })
        }
    }

    @Test func `a changed end of a watch is a reason for a backup`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            let key = Sample.key(try Sample.address(1))
            var entry = Sample.entry(note: "note")
            let ends = [
                WatchEnd(until: Sample.now.wall, elapsed: .seconds(1)),
                WatchEnd(until: Sample.now.wall + .seconds(1), elapsed: .seconds(1)),
                WatchEnd(until: Sample.now.wall + .seconds(1), elapsed: .seconds(2)), nil,
            ]
            for (index, end) in ends.enumerated() {
                entry.watch?.end = end
                try await store.commit([.put(key, entry, cohort: nil)])
                #expect(try await store.backUp(keeping: 7, at: Self.day(2 * index)) != nil)
                #expect(try await store.backUp(keeping: 7, at: Self.day(2 * index + 1)) == nil)
            }
        }
    }

    @Test func `changed labels of a host name are a reason for a backup`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            let name = try HostName("www.example")
            try await store.commit(Sample.writes(try Sample.address(1), Sample.entry()))
            let labels: [(tags: [String], note: String?)] = [([], nil), (["a"], nil), (["a"], "n"), (["b"], "n")]
            for (index, label) in labels.enumerated() {
                let watch = WatchedName(tags: label.tags, note: label.note)
                try await store.commit([.putName(SavedName(name, watch))])
                #expect(try await store.backUp(keeping: 7, at: Self.day(2 * index)) != nil)
                #expect(try await store.backUp(keeping: 7, at: Self.day(2 * index + 1)) == nil)
            }
        }
    }

    @Test func `the oldest backups are deleted, and with a limit of 0 none is made`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(try Sample.address(1), Sample.entry()))
            for number in 1...10 {
                try await store.commit([.event(Sample.event(Int64(number)))])
                _ = try await store.backUp(keeping: 3, at: Self.day(number))
            }
            try await store.commit([.event(Sample.event(11))])
            #expect(try await store.backUp(keeping: 0, at: Self.day(11)) == nil)
        }
        let times = try Backup.all(of: folder.database).map { ($0.madeAt - Self.day(0)) / .seconds(86_400) }
        #expect(times.map { $0.rounded() } == [10, 9, 8])
    }

    @Test func `a backup that cannot be written leaves no file and keeps the others`() async throws {
        // The store keeps the connection of its first backup.
        FaultyFiles.install()
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await Self.fill(store)
            let first = try #require(try await store.backUp(keeping: 1, at: Self.day(0)))
            try await store.commit([.event(Sample.event(41))])
            let partial = Backup(of: folder.database, at: Self.day(1)).partial
            FaultyFiles.set(.init(maxBytes: 8_192), of: partial)
            defer { FaultyFiles.set(nil, of: partial) }
            await #expect(throws: StoreError.self) { try await store.backUp(keeping: 1, at: Self.day(1)) }
            #expect(try Backup.all(of: folder.database) == [first])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy {
                    !$0.hasSuffix(".partial")
                })
            FaultyFiles.set(nil, of: partial)
            let second = try #require(try await store.backUp(keeping: 1, at: Self.day(1)))
            #expect(try Backup.all(of: folder.database) == [second])
            #expect(try second.contents() == .init(addresses: 500, events: 41))
        }
    }

    @Test func `closing the store cancels a running backup`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await Self.fill(store)
            store.isClosing.store(true, ordering: .relaxed)
            #expect(try await store.backUp(keeping: 7, at: Self.day(0)) == nil)
            store.isClosing.store(false, ordering: .relaxed)
            #expect(try Backup.all(of: folder.database).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: Backup(of: folder.database, at: Self.day(0)).partial))
            #expect(try await store.backUp(keeping: 7, at: Self.day(0)) != nil)
        }
    }

    @Test func `commits continue during a backup`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await Self.fill(store)
            async let backup = store.backUp(keeping: 7, at: Self.now.wall)
            for number in Int64(41)...140 { try await store.commit([.event(Sample.event(number))]) }
            // The backup is one snapshot, whichever commit it follows.
            let made = try #require(try await backup)
            let last = try SQLite(made.path).rows("SELECT value FROM meta WHERE name = 'last_seq'")
            #expect(try SQLite(made.path).rows("SELECT max(seq) FROM notice") == last)
            #expect(try SQLite(made.path).rows("PRAGMA integrity_check") == [["\"ok\""]])
        }
    }

    @Test func `a backup of an empty watch list deletes no other backup`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            let key = Sample.key(try Sample.address(1))
            try await store.commit(Sample.writes(key.address, Sample.entry()))
            let first = try #require(try await store.backUp(keeping: 1, at: Self.day(0)))
            try await store.commit([.remove(key), .event(Sample.event(1))])
            let second = try #require(try await store.backUp(keeping: 1, at: Self.day(1)))
            #expect(try Backup.all(of: folder.database) == [second, first])
            try await store.commit([.event(Sample.event(2))])
            let third = try #require(try await store.backUp(keeping: 1, at: Self.day(2)))
            #expect(try Backup.all(of: folder.database) == [third, first], "backups without addresses are limited")
        }
    }

    @Test func `no backup is begun without as much free space as the database may need`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await Self.fill(store)
            // A sparse file of three quarters of the free space: its size is available, but not twice its size, even if
            // other processes delete files. SQLite takes the size of a database from its header.
            let size = try #require(DiskSpace.size(of: folder.database))
            let free = try #require(DiskSpace.availableBytes(at: folder.database))
            #expect(truncate(folder.database, min(free / 4 * 3, 6 << 40)) == 0)
            let error = await #expect(throws: StoreError.self) { try await store.backUp(keeping: 7, at: Self.now.wall) }
            #expect(error?.description.contains("not enough disk space") == true, "\(error as Any)")
            #expect(truncate(folder.database, size) == 0)
            #expect(try await store.backUp(keeping: 7, at: Self.now.wall) != nil)
        }
    }

    @Test func `a backup that is made before 2001 according to the clock is still found`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await Self.fill(store)
            let backup = try #require(try await store.backUp(keeping: 7, at: WallTime(milliseconds: 5_000)))
            #expect(try Backup.all(of: folder.database) == [backup])
            #expect(try backup.contents().addresses == 500)
        }
    }

    @Test func `a damaged database is not backed up, and keeps its backups`() async throws {
        let folder = try TemporaryFolder()
        let first = try await folder.withStore { (store) async throws in
            try await Self.fill(store)
            return try #require(try await store.backUp(keeping: 1, at: Self.day(0)))
        }
        var pages = try DatabasePages(folder.database)
        _ = try pages.zeroLeaf(.last, of: "entry")
        let store = try Store(path: folder.database)
        await #expect(throws: StoreError.self) { try await store.backUp(keeping: 1, at: Self.day(1)) }
        try store.close()
        #expect(try Backup.all(of: folder.database) == [first])
    }

    @Test func `other files beside the database are not backups`() throws {
        let folder = try TemporaryFolder()
        let names = [
            "records.db.backup-", "records.db.backup-x", "records.db.backup-1795768416.partial",
            "records.db.backup-20261127", "records.db.backup-01795768416", "other.db.backup-1795768416",
        ]
        for name in names {
            try Data().write(to: URL(filePath: folder.path + "/" + name))
        }
        #expect(try Backup.all(of: folder.database).isEmpty)
    }
}
