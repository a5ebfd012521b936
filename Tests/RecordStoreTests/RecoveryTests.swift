import Foundation
import Glibc
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// A recovery saves the readable rows of a damaged database, and a failed one changes nothing.
@Suite(.timeLimit(.minutes(20))) struct RecoveryTests {
    private static let now = WallTime(milliseconds: 1_800_000_000_999)

    /// Returns a closed database with `count` entries, each with a record, and these entries.
    private static func folder(entries count: Int = 3_000) async throws -> (TemporaryFolder, [IPAddress: Entry]) {
        let folder = try TemporaryFolder()
        let restored = try await folder.withStore { (store) async throws in
            try await store.commit(
                try (1...count).map {
                    .put(try Sample.address($0), Sample.entry(note: "note \($0)"), scanReplaced: true)
                })
            try await store.commit([.event(Sample.event(1)), .event(Sample.change(2, of: try Sample.address(1)))])
            return try store.restored().byAddress
        }
        return (folder, restored)
    }

    private static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    private static func restored(_ folder: TemporaryFolder) async throws -> [IPAddress: Entry] {
        try await folder.withStore { (store) async throws in try store.restored().byAddress }
    }

    @Test func `all rows of an intact database are recovered, with its history and its last seq`() async throws {
        let (folder, before) = try await Self.folder()
        let outcome = try Recovery(path: folder.database).run(at: Self.now)
        let damaged = folder.database + ".damaged-1800000000"
        #expect(outcome == .init(damaged: damaged, entries: 3_000, records: 3_000, lost: 0))
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
            ALTER TABLE notice DROP COLUMN user; ALTER TABLE notice ADD COLUMN user INTEGER;
            ALTER TABLE entry DROP COLUMN omissions; ALTER TABLE entry ADD COLUMN omissions TEXT;
            """)
        let outcome = try Recovery(path: folder.database).run(at: Self.now)
        #expect(outcome.entries == 10 && outcome.lost == 0)
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
            try await store.commit([.put(address, saved, scanReplaced: true)] + events.map { .event($0) })
        }
        _ = try Recovery(path: folder.database).run(at: Self.now)
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
        let problem = Recovery.Problem.files(purpose: "read \(log)", reason: "Is a directory")
        #expect(throws: problem) { try Recovery(path: folder.database).run(at: Self.now) }
        #expect(try Self.bytes(folder.database) == before)
    }

    @Test func `the last seq is recovered, even if its event is lost`() async throws {
        let (folder, _) = try await Self.folder(entries: 10)
        try SQLite(folder.database).run("DELETE FROM notice; UPDATE meta SET value = 41")
        _ = try Recovery(path: folder.database).run(at: Self.now)
        try await folder.withStore { (store) async throws in #expect(try store.restored().lastSeq == 41) }
        // The row of the last seq is lost as well, but a change has its number.
        try SQLite(folder.database).run("DELETE FROM meta; UPDATE change SET seq = 77")
        _ = try Recovery(path: folder.database).run(at: Self.now + .seconds(1))
        try await folder.withStore { (store) async throws in #expect(try store.restored().lastSeq == 77) }
    }

    @Test(arguments: 1...UInt64(20)) func `rows next to flipped bytes are recovered`(seed: UInt64) async throws {
        let (folder, before) = try await Self.folder()
        var data = try Self.bytes(folder.database)
        var random = Random(seed: seed)
        // Anywhere but in the header, which identifies the file.
        for _ in 0..<20 {
            data[Int.random(in: 100..<data.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        }
        try data.write(to: URL(filePath: folder.database))
        let outcome = try Recovery(path: folder.database).run(at: Self.now)
        #expect(try Self.bytes(outcome.damaged) == data, "the damaged file is kept unchanged")
        let after = try await Self.restored(folder)
        // A page has some dozen rows.
        #expect(after.count > 2_000, "\(outcome)")
        #expect(after.filter { before[$0.key] == $0.value }.count > 2_000)
        #expect(after.filter { before[$0.key] != $0.value }.count <= 20 * 40)
        #expect(try SQLite(folder.database).rows("PRAGMA integrity_check") == [["\"ok\""]])
    }

    @Test func `overwritten pages, including root pages, lose only their own rows`() async throws {
        let (folder, before) = try await Self.folder()
        var data = try Self.bytes(folder.database)
        let roots = try SQLite(folder.database).rows(
            "SELECT rootpage FROM sqlite_master WHERE name IN ('entry', 'record')")
        for root in roots {
            let page = try #require(Int(root[0]))
            data.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: Data(repeating: 0xFF, count: 4_096))
        }
        try data.write(to: URL(filePath: folder.database))
        let outcome = try Recovery(path: folder.database).run(at: Self.now)
        let after = try await Self.restored(folder)
        #expect(after.count > 2_900 && after.count == outcome.entries, "\(outcome)")
        #expect(after.filter { before[$0.key] == $0.value }.count > 2_800)
    }

    @Test func `removed entries are not recovered`() async throws {
        let (folder, _) = try await Self.folder()
        try await folder.withStore { (store) async throws in
            try await store.commit(try (1...2_900).map { .remove(try Sample.address($0)) })
        }
        #expect(try Recovery(path: folder.database).run(at: Self.now).entries == 100)
        #expect(try await Self.restored(folder).count == 100)
    }

    @Test func `the rows of a truncated file are recovered`() async throws {
        let (folder, before) = try await Self.folder()
        #expect(truncate(folder.database, off_t((folder.bytes() ?? 0) * 2 / 3 / 4_096 * 4_096)) == 0)
        let outcome = try Recovery(path: folder.database).run(at: Self.now)
        #expect(outcome.entries > 1_000 && outcome.entries < 3_000, "\(outcome)")
        let after = try await Self.restored(folder)
        #expect(after.allSatisfy { before[$0.key]?.watch == $0.value.watch })
        #expect(after.count == outcome.entries)
    }

    @Test func `the log is recovered with its database, and not left beside the new one`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        try await store.commit([.put(try Sample.address(1), Sample.entry(), scanReplaced: true)])
        let copy = try TemporaryFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy.database + suffix)
        }
        try store.close()
        #expect((copy.bytes("-wal") ?? 0) > 0)
        #expect(try Recovery(path: copy.database).run(at: Self.now).entries == 1)
        #expect(copy.bytes("-wal") == nil)
        #expect(copy.bytes(".damaged-1800000000-wal") ?? 0 > 0)
        #expect(try await Self.restored(copy).count == 1)
    }

    @Test func `a table whose definition is damaged is recovered`() async throws {
        let (folder, before) = try await Self.folder()
        var data = try Self.bytes(folder.database)
        for name in ["entry", "record"] {
            let place = try #require(data.range(of: Data("CREATE TABLE \(name) (".utf8)))
            data[place.upperBound + 10] = 0
            data[place.lowerBound + 3] = 0x21
        }
        try data.write(to: URL(filePath: folder.database))
        #expect(try Recovery(path: folder.database).run(at: Self.now).entries == 3_000)
        #expect(try await Self.restored(folder) == before)
    }

    @Test func `a database that is locked, missing, invalid or another program's stays unchanged`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: Recovery.Problem.missing(path: folder.database)) {
            try Recovery(path: folder.database).run(at: Self.now)
        }
        let store = try Store(path: folder.database)
        #expect(throws: StoreError.locked(path: folder.database, pid: getpid())) {
            try Recovery(path: folder.database).run(at: Self.now)
        }
        try store.close()
        let diary = try TemporaryFolder()
        try Data("A diary, of which there is no copy.\n".utf8).write(to: URL(filePath: diary.database))
        let theirs = try TemporaryFolder()
        try SQLite(theirs.database).run("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
        for other in [diary, theirs] {
            let before = try Self.bytes(other.database)
            #expect(throws: Recovery.Problem.self) { try Recovery(path: other.database).run(at: Self.now) }
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
