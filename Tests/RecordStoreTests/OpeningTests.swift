import Foundation
import GRDB
import Glibc
import RecordKeeping
import Synchronization
import TestSupport
import Testing

@testable import RecordStore

/// A store opens only its own database; any other file is reported and stays unchanged.
@Suite(.timeLimit(.minutes(20))) struct OpeningTests {
    @Test func `other users cannot read the files, even if the umask allows it`() async throws {
        let folder = try TemporaryFolder()
        let before = umask(0)
        let store = Result { () throws(StoreError) in try Store(path: folder.database) }
        umask(before)
        try await store.get().commit([.event(Sample.event(1))])
        for suffix in ["", "-wal", "-shm", ".lock"] {
            #expect(folder.mode(suffix) == 0o600, "records.db\(suffix)")
        }
        try store.get().close()
    }

    /// Level 2 is FULL (sqlite.org/pragma.html#pragma_synchronous). With NORMAL, a power failure would lose the last
    /// commits.
    @Test func `each commit waits for the disk`() throws {
        let folder = try TemporaryFolder()
        for _ in 1...2 {
            let store = try Store(path: folder.database)
            let level = try store.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
            #expect(level == 2)
            try store.close()
        }
    }

    @Test func `a second instance fails with the pid of the first, and succeeds after it has closed`() throws {
        let folder = try TemporaryFolder()
        let first = try Store(path: folder.database)
        #expect(throws: StoreError.locked(path: folder.database, pid: getpid())) { try Store(path: folder.database) }
        try first.close()
        try Store(path: folder.database).close()
        // A reference to a closed store does not block it.
        #expect(first.path == folder.database)
    }

    @Test func `another program's database stays unchanged`() throws {
        let folder = try TemporaryFolder()
        try SQLite(folder.database).run("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
        let before = try Data(contentsOf: URL(filePath: folder.database))
        #expect(throws: StoreError.foreign(path: folder.database)) { try Store(path: folder.database) }
        #expect(try Data(contentsOf: URL(filePath: folder.database)) == before)
    }

    @Test func `a file that is not a database stays unchanged`() throws {
        let folder = try TemporaryFolder()
        let text = Data("A diary, of which there is no copy.\n".utf8 + Array(repeating: 46, count: 4_096))
        try text.write(to: URL(filePath: folder.database))
        #expect(throws: StoreError.notADatabase(path: folder.database)) { try Store(path: folder.database) }
        #expect(try Data(contentsOf: URL(filePath: folder.database)) == text)
    }

    @Test func `the database of a newer version is rejected`() throws {
        let folder = try TemporaryFolder()
        try Store(path: folder.database).close()
        try SQLite(folder.database).run("INSERT INTO grdb_migrations VALUES ('99: of the years to come')")
        let before = try SQLite(folder.database).everything()
        #expect(throws: StoreError.newer(path: folder.database, schema: 99, known: Schema.newest)) {
            try Store(path: folder.database)
        }
        #expect(try SQLite(folder.database).everything() == before)
    }

    @Test func `a migration reports its progress, and a store without a migration reports nothing`() throws {
        let folder = try TemporaryFolder()
        try Store(path: folder.database).close()
        // As in schema 3, with a history whose index takes a while.
        try SQLite(folder.database).run(
            """
            DROP TABLE history_mark;
            DELETE FROM grdb_migrations WHERE identifier LIKE '4:%' OR identifier LIKE '5:%';
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100000)
              INSERT INTO change SELECT '192.0.2.1', n, n * 7919 % 100003, '[]' FROM number;
            """)
        let reports = Mutex(0)
        try Store(path: folder.database) { reports.withLock { $0 += 1 } }.close()
        #expect(reports.withLock { $0 } > 3)
        reports.withLock { $0 = 0 }
        try Store(path: folder.database) { reports.withLock { $0 += 1 } }.close()
        #expect(reports.withLock { $0 } == 0)
    }

    @Test func `the names of the migrations do not change, because existing databases list them`() {
        #expect(
            Schema.migrator.migrations == [
                "1: entries, records, notices and health", "2: outages", "3: quotas and health by provider",
                "4: changes by their time", "5: retention by elapsed time", "7: users of changes and omitted fields",
                "8: health by endpoint", "9: records by scan", "10: watches that end",
                "11: versions of local databases", "12: host names",
            ])
    }

    @Test func `entries and events of a database without users and omitted fields are kept`() async throws {
        let folder = try TemporaryFolder()
        let (address, entry) = (try Sample.address(1), Sample.entry())
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(address, entry) + [.event(Sample.event(1))])
        }
        try SQLite(folder.database).run(
            """
            DROP TABLE host_name;
            DROP TABLE host_address;
            DROP INDEX notice_name;
            ALTER TABLE notice DROP COLUMN name;
            ALTER TABLE notice DROP COLUMN user;
            ALTER TABLE entry DROP COLUMN omissions;
            DELETE FROM grdb_migrations WHERE identifier LIKE '7:%' OR identifier LIKE '12:%';
            """)
        var added = Sample.event(2)
        added.user = 1_000
        let second = added
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().byAddress == [address: entry])
            try await store.commit([.event(second)])
            #expect(try await store.events(after: 0) == [Sample.event(1), second])
        }
    }

    @Test func `the error of a missing directory contains its path`() throws {
        let path = try TemporaryFolder().path + "/not-there/records.db"
        let error = #expect(throws: StoreError.self) { try Store(path: path) }
        #expect(error == .inaccessible(path: path, reason: "No such file or directory"))
        #expect(error?.description.contains(path) == true)
    }

    @Test func `the error of a directory in place of the database contains its path`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: StoreError.inaccessible(path: folder.path, reason: "Is a directory")) {
            try Store(path: folder.path)
        }
    }

    @Test func `a row that cannot be decoded is reported, and the others are restored`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit(try Sample.writes(1...4) { _ in Sample.entry() })
        }
        try SQLite(folder.database).run(
            """
            PRAGMA foreign_keys = OFF;
            UPDATE entry SET address = 'nowhere' WHERE address = '192.0.0.2';
            UPDATE entry SET tags = '[' WHERE address = '192.0.0.3';
            """)
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(restored.byAddress.keys.sorted() == [try Sample.address(1), try Sample.address(4)])
            #expect(unreadable.map(\.key).sorted() == ["192.0.0.3", "nowhere"])
            #expect(unreadable.allSatisfy { $0.table == "entry" && !$0.reason.isEmpty })
        }
    }

    @Test(arguments: [
        "9223372036854775807", "-9223372036854775808", "9223372036854775", "-1", "253402300800000",
    ])
    func `numbers out of range do not crash the core`(number: String) async throws {
        let folder = try TemporaryFolder()
        let window = SavedWindow(
            provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 3, resetsAt: Sample.now,
            length: .seconds(60))
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(try Sample.address(1), Sample.entry()) + [.window(window)])
        }
        try SQLite(folder.database).run(
            """
            UPDATE scan SET at = \(number), boot_ns = \(number);
            UPDATE record SET lat = 9e999, lon = -9e999;
            UPDATE entry SET changed_at = \(number), failure_at = \(number), failure_boot_ns = \(number),
              failure_attempts = \(number);
            UPDATE quota_window SET quota = \(number), remaining = \(number), under_way = \(number), length = \(number),
              resets_at = \(number), resets_boot_ns = \(number), margin = \(number);
            UPDATE meta SET value = \(number);
            """)
        for bootID in [Sample.bootID, "another boot"] {
            let restored = try await folder.withStore { (store) async throws in
                try store.restore(at: Sample.now, bootID: bootID).restored
            }
            #expect(restored.entries.count == 1, "an address stays watched even if its other columns are invalid")
            #expect(restored.entries.first?.entry.watch == Sample.entry().watch)
            var keeper = Keeper(
                settings: Settings(providerEndpoint: "http://ip-api.com", documentedLimits: [:]), seed: 1,
                startedAt: Sample.now)
            _ = keeper.handle(.restoring(restored.entries, of: 1), at: Sample.now)
            _ = keeper.handle(.restored(restored.rest), at: Sample.now)
            let status = keeper.status(at: Sample.now)
            #expect(status.provider.quotas.allSatisfy { ($0.limit ?? 0) <= ReportedQuota.maxRequests })
            let request = Request(
                id: Request.ID(peer: PeerID(number: 1), number: 1), isByAdministrator: true,
                body: .show([try Sample.address(1)], wait: .zero))
            #expect(!keeper.handle(.requested(request), at: Sample.now).isEmpty)
        }
    }

    @Test func `a store closes at once while another process reads`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        try await store.commit(Sample.writes(try Sample.address(1), Sample.entry()))
        let other = try DatabaseQueue(path: folder.database)
        try await other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN")
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") == 1)
            let began = ContinuousClock.now
            try store.close()
            #expect(ContinuousClock.now - began < .seconds(3))
            try database.execute(sql: "COMMIT")
        }
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().byAddress.count == 1)
        }
    }
}
