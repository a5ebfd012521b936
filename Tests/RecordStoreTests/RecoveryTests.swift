import Foundation
import Glibc
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// A recovery saves the readable rows of a damaged database, and a failed one changes nothing.
@Suite(.timeLimit(.minutes(20))) struct RecoveryTests: RecoverySuite {
    @Test func `all rows of an intact database are recovered, with its history and its last seq`() async throws {
        let (folder, before) = try await Self.folder()
        let outcome = try Self.recover(folder.database)
        let damaged = folder.database + ".damaged-1800000000"
        #expect(outcome == .init(damaged: damaged, entries: 3_000, records: 3_000))
        #expect(try await Self.restored(folder) == before)
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().lastSeq == 2)
            #expect(try await store.changes(of: try Sample.address(1)).count == 1)
        }
        #expect(folder.mode() == 0o600 && folder.mode(".damaged-1800000000") == 0o600)
    }

    /// A row that was written before a migration added a column lacks the value of that column.
    @Test func `rows of an older schema are recovered`() async throws {
        let (folder, before) = try await Self.folder(entries: 10)
        try SQLite(folder.database).run(
            """
            DROP INDEX notice_name; ALTER TABLE notice DROP COLUMN name; ALTER TABLE notice DROP COLUMN user;
            ALTER TABLE notice ADD COLUMN user INTEGER; ALTER TABLE notice ADD COLUMN name TEXT;
            ALTER TABLE entry DROP COLUMN omissions; ALTER TABLE entry ADD COLUMN omissions TEXT;
            """)
        let outcome = try Self.recover(folder.database)
        #expect(outcome.entries == 10 && outcome.incomplete.isEmpty && outcome.invalid == 0)
        #expect(try await Self.restored(folder) == before)
        try await folder.withStore { (store) async throws in
            #expect(try await store.events(after: 0).map(\.kind) == [.added, .changed])
        }
    }

    @Test func `users of changes and omitted fields are recovered`() async throws {
        let folder = try TemporaryFolder()
        var sample = Sample(seed: 9)
        let events = (1...20).map { sample.event($0) }
        var entry = Sample.entry()
        entry.omissions = [FieldChange(field: "city", old: "Ulm", new: nil)]
        let (address, saved) = (try Sample.address(1), entry)
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(address, saved) + events.map { .event($0) })
        }
        _ = try Self.recover(folder.database)
        #expect(try await Self.restored(folder)[address]?.omissions == entry.omissions)
        try await folder.withStore { (store) async throws in
            #expect(try await store.events(after: 0) == events)
        }
    }

    /// Acknowledged changes may be only in the log, so they must not be lost without an error.
    @Test func `a log that cannot be read stops the recovery`() async throws {
        let (folder, _) = try await Self.folder(entries: 10)
        let before = try Self.bytes(folder.database)
        // A directory can be opened, but not read, even by root.
        let log = folder.database + "-wal"
        try FileManager.default.removeItem(atPath: log)
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
        #expect(throws: StoreError.self) { try Self.recover(folder.database) }
        #expect(try Self.bytes(folder.database) == before)
    }

    @Test func `the last seq is recovered, even if its event is lost`() async throws {
        let (folder, _) = try await Self.folder(entries: 10)
        try SQLite(folder.database).run("DELETE FROM notice; UPDATE meta SET value = 41")
        _ = try Self.recover(folder.database)
        try await folder.withStore { (store) async throws in #expect(try store.restored().lastSeq == 41) }
        // The row of the last seq is lost as well, but a change has its number.
        try SQLite(folder.database).run("DELETE FROM meta; UPDATE change SET seq = 77")
        _ = try Self.recover(folder.database, at: Self.now.advanced(by: .seconds(1)))
        try await folder.withStore { (store) async throws in #expect(try store.restored().lastSeq == 77) }
    }

    /// Whatever the flipped bytes make unreadable, the watch list is in the backup.
    @Test(arguments: 1...UInt64(20)) func `the watch list survives flipped bytes`(seed: UInt64) async throws {
        let (folder, _, before) = try await Self.backedUpFolder()
        var data = try Self.bytes(folder.database)
        var random = Random(seed: seed)
        // Anywhere but in the header, which identifies the file.
        for _ in 0..<20 {
            data[Int.random(in: 100..<data.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        }
        try data.write(to: URL(filePath: folder.database))
        let outcome = try Self.recover(folder.database)
        #expect(try Self.bytes(#require(outcome.damaged)) == data, "the damaged file is kept unchanged")
        let after = try await Self.restored(folder)
        // All but the address that was added after the backup, and those whose own rows have flipped bytes.
        #expect(before.keys.count { after[$0]?.watch == nil } <= 1 + 20, "\(outcome)")
        #expect(before.count { after[$0.key]?.watch != $0.value.watch } <= 1 + 20, "\(outcome)")
        #expect(try SQLite(folder.database).rows("PRAGMA integrity_check") == [["\"ok\""]])
    }

    @Test func `removed entries are not recovered`() async throws {
        let (folder, _) = try await Self.folder()
        try await folder.withStore { (store) async throws in
            try await store.commit(try (1...2_900).map { .remove(Sample.key(try Sample.address($0))) })
        }
        #expect(try Self.recover(folder.database).entries == 100)
        #expect(try await Self.restored(folder).count == 100)
    }

    @Test func `the watch list survives a truncation`() async throws {
        let (folder, backup, before) = try await Self.backedUpFolder()
        let size = Int(try #require(folder.bytes()))
        #expect(truncate(folder.database, size * 2 / 3 / 4_096 * 4_096) == 0)
        let outcome = try Self.recover(folder.database)
        #expect(outcome.backup == backup && outcome.incomplete.contains("entry"), "\(outcome)")
        let after = try await Self.restored(folder)
        #expect(before.keys.count { after[$0]?.watch == nil } <= 1, "\(outcome)")
    }

    @Test func `the log is recovered with its database, and not left beside the new one`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        try await store.commit(Sample.writes(try Sample.address(1), Sample.entry()))
        let copy = try TemporaryFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy.database + suffix)
        }
        try store.close()
        #expect((copy.bytes("-wal") ?? 0) > 0)
        #expect(try Self.recover(copy.database).entries == 1)
        #expect(copy.bytes("-wal") == nil)
        #expect(copy.bytes(".damaged-1800000000-wal") ?? 0 > 0)
        #expect(try await Self.restored(copy).count == 1)
    }

    /// A damaged key that is out of order must not hide the rows after it. The key 127 is also that of another row.
    @Test(arguments: [(1, 127), (1_501, 16_000), (2_999, 16_000)] as [(Int64, Int64)])
    func `a row with a damaged key hides no other row`(key: Int64, damaged: Int64) async throws {
        let (folder, before) = try await Self.folder()
        var pages = try DatabasePages(folder.database)
        for table in ["entry", "record"] {
            #expect(try pages.replaceKey(key, with: damaged, of: table), "\(table)")
        }
        let outcome = try Self.recover(folder.database)
        #expect(outcome.incomplete.contains("entry"), "\(outcome)")
        let after = try await Self.restored(folder)
        #expect(before.keys.count { after[$0]?.watch == nil } <= 3, "\(outcome)")
    }

    @Test func `a database that is locked, missing, invalid or another program's stays unchanged`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: Recovery.Problem.missing(path: folder.database)) {
            try Self.recover(folder.database)
        }
        let store = try Store(path: folder.database)
        #expect(throws: StoreError.locked(path: folder.database, pid: getpid())) {
            try Self.recover(folder.database)
        }
        try store.close()
        let diary = try TemporaryFolder()
        try Data("A diary, of which there is no copy.\n".utf8).write(to: URL(filePath: diary.database))
        let theirs = try TemporaryFolder()
        try SQLite(theirs.database).run("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
        for other in [diary, theirs] {
            let before = try Self.bytes(other.database)
            #expect(throws: Recovery.Problem.self) { try Self.recover(other.database) }
            #expect(try Self.bytes(other.database) == before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: other.path).sorted() == [
                    "records.db", "records.db.lock",
                ])
        }
    }

    @Test func `the error of a damaged database says how to recover it`() async throws {
        let (folder, _) = try await Self.folder()
        let pages = Int(try #require(folder.bytes())) / 4_096
        var data = try Self.bytes(folder.database)
        for page in 1..<pages {
            data.replaceSubrange(page * 4_096..<page * 4_096 + 8, with: [UInt8](repeating: 0xFF, count: 8))
        }
        try data.write(to: URL(filePath: folder.database))
        let error = #expect(throws: StoreError.self) {
            let store = try Store(path: folder.database)
            defer { try? store.close() }  // Closing a damaged database may fail.
            _ = try store.restored()
        }
        #expect(
            error?.isOfTheFile == true && error?.description.contains("iprecordd --recover") == true, "\(error as Any)")
    }
}
