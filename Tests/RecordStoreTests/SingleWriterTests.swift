import FoundationEssentials
import GRDB
import GRDBSQLite
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// Only one connection writes to the database or checkpoints. SQLite 3.7.0 to 3.51.2 can lose commits if two
/// connections do so at the same moment (sqlite.org/wal.html#walresetbug), and Debian 12 has version 3.40.1.
@Suite(.timeLimit(.minutes(20))) struct SingleWriterTests {
    /// Expects that at most one connection has written, and that no other one took a lock for writing.
    private static func expectOneWriter(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let uses = FaultyFiles.uses(of: path)
        #expect(uses.count { !$0.isLog } >= 2, "only one connection was opened", sourceLocation: sourceLocation)
        for isLog in [false, true] {
            let writers = uses.filter { $0.isLog == isLog && $0.writes > 0 }
            #expect(writers.count == 1, "log \(isLog): \(writers)", sourceLocation: sourceLocation)
        }
        let lockers = uses.filter { !$0.isLog && $0.sharedLocks > 0 }
        #expect(lockers.count == 1, "\(lockers)", sourceLocation: sourceLocation)
        #expect(uses.allSatisfy { $0.isLog || !$0.isReadOnly || $0.writes == 0 }, sourceLocation: sourceLocation)
    }

    /// Commits enough for SQLite to checkpoint several times, while readers read.
    ///
    /// - Parameter seq: the number of the last event.
    private static func work(_ store: Store, after seq: Int64 = 0) async throws {
        for round in 0..<15 {
            let note = "\(round) " + String(repeating: "note", count: 200)
            let writes = try Sample.writes(1...500) { _ in Sample.entry(note: note) }
            async let committed: Void = store.commit(writes + [.event(Sample.event(seq + Int64(round + 1)))])
            async let events = store.events(after: 0)
            async let changes = store.changes(of: try Sample.address(1))
            async let outages = store.outages()
            _ = try await (committed, events, changes, outages)
        }
        _ = try store.restored()
    }

    @Test func `one connection writes during migration, commits, queries and the end`() async throws {
        let folder = try TemporaryFolder()
        FaultyFiles.observe(folder.database)
        try await folder.withStore { (store) async throws in
            try await Self.work(store)
            #expect(FaultyFiles.uses(of: folder.database).contains { !$0.isLog && $0.writes > 100 }, "no log was moved")
        }
        Self.expectOneWriter(folder.database)
    }

    @Test func `one connection writes after a crash with commits in the log`() async throws {
        let (folder, copy) = (try TemporaryFolder(), try TemporaryFolder())
        let store = try Store(path: folder.database)
        try await store.commit(Sample.writes(try Sample.address(1), Sample.entry()))
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy.database + suffix)
        }
        try store.close()
        FaultyFiles.observe(copy.database)
        try await copy.withStore { (store) async throws in
            #expect(try store.restored().byAddress.count == 1)
            try await Self.work(store)
        }
        Self.expectOneWriter(copy.database)
    }

    @Test func `one connection writes while a damaged history is rebuilt`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit((1...2_000).map { .event(Sample.event($0)) })
        }
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(.last, of: "notice"))
        FaultyFiles.observe(folder.database)
        try await folder.withStore { (store) async throws in
            try await store.commit([.event(Sample.event(2_001))])
            try await Self.work(store, after: 2_001)
        }
        Self.expectOneWriter(folder.database)
    }

    @Test func `one connection writes during a recovery`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in try await Self.work(store) }
        FaultyFiles.observe(folder.database)
        FaultyFiles.observe(folder.database + ".recovered")
        _ = try Recovery(path: folder.database).run(at: Sample.now, bootID: Sample.bootID)
        #expect(
            FaultyFiles.uses(of: folder.database).allSatisfy { $0.writes == 0 && ($0.isLog || $0.isReadOnly) },
            "the damaged database stays unchanged")
        // One connection copies the rows and is closed; then the store opens the new database.
        #expect(FaultyFiles.uses(of: folder.database + ".recovered").count { $0.sharedLocks > 0 } <= 1)
    }

    @Test func `one connection writes during backups`() async throws {
        let folder = try TemporaryFolder()
        FaultyFiles.observe(folder.database)
        try await folder.withStore { (store) async throws in
            async let worked: Void = Self.work(store)
            for second in 1...5 {
                _ = try await store.backUp(keeping: 2, at: WallTime(milliseconds: 1_000 * Int64(second)))
            }
            try await worked
        }
        Self.expectOneWriter(folder.database)
    }

    @Test func `the connections of queries cannot write`() async throws {
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit([.event(Sample.event(1))])
            for read in [store.pool.read, store.pool.unsafeRead] as [((Database) throws -> Void) throws -> Void] {
                try read { reader in
                    #expect(sqlite3_db_readonly(reader.sqliteConnection, "main") == 1)
                    let refusal = #expect(throws: DatabaseError.self) { try reader.execute(sql: "DELETE FROM notice") }
                    #expect(refusal?.resultCode == .SQLITE_READONLY)
                    #expect(throws: DatabaseError.self) { try reader.checkpoint(.passive) }
                }
            }
            #expect(try await store.events(after: 0).count == 1)
        }
    }

    /// Checks the check: the same observation reports a second writer.
    @Test func `a second writer is noticed`() async throws {
        let folder = try TemporaryFolder()
        FaultyFiles.observe(folder.database)
        try await folder.withStore { (store) async throws in
            try await store.commit([.event(Sample.event(1))])
            try SQLite(folder.database).run("DELETE FROM notice")
            let uses = FaultyFiles.uses(of: folder.database)
            #expect(uses.count { !$0.isLog && $0.sharedLocks > 0 } == 2)
            #expect(uses.count { $0.isLog && $0.writes > 0 } == 2)
        }
    }
}
