import Foundation
import RecordKeeping
import Synchronization
import TestSupport
import Testing

@testable import RecordStore

/// A database of every earlier schema is migrated, backed up, restored and recovered without loss.
@Suite(.timeLimit(.minutes(20))) struct OldSchemaTests {
    /// Compares everything that an open store has restored with the values of the old database.
    private static func expectEverything(_ store: Store, of version: String) async throws {
        let restored = try store.restored()
        #expect(restored.byAddress == (try OldDatabase.entries()))
        #expect(try await store.events(after: 0) == OldDatabase.events())
        #expect(try await store.changes(of: IPAddress("5.5.5.5")).map(\.fields) == [OldDatabase.events()[1].fields])
        #expect(restored.lastSeq == 3 && store.changeCount == 1)
        let hasOutages = version != OldDatabase.versions[0]
        #expect(try await store.outages() == (hasOutages ? [OldDatabase.outage] : []))
    }

    @Test(arguments: OldDatabase.versions) func `a database is migrated`(version: String) async throws {
        let folder = try TemporaryFolder()
        try OldDatabase.make(version, at: folder.database)
        try await folder.withStore { (store) async throws in
            try await Self.expectEverything(store, of: version)
            let restored = try store.restored()
            #expect(restored.windows.map(\.endpoint) == [.batch] && restored.windows.map(\.limit) == [15])
            #expect(restored.windows.map(\.remaining) == [4] && restored.windows.map(\.outstanding) == [0])
            #expect(restored.windows.map(\.resetsAt) == [Sample.now.advanced(by: .seconds(30))])
            #expect(restored.health.map(\.endpoint) == [.batch, .single])
            #expect(restored.health.allSatisfy { $0.state == .throttled && $0.retryAt == nil })
        }
        #expect(try Backup.all(of: folder.database).isEmpty)
    }

    @Test(arguments: OldDatabase.versions) func `a database is backed up before its migration`(
        version: String
    ) async throws {
        let folder = try TemporaryFolder()
        try OldDatabase.make(version, at: folder.database)
        let before = try SQLite(folder.database).everything()
        try Store(path: folder.database, backup: (7, Sample.now.wall)).close()
        let backups = try Backup.all(of: folder.database)
        guard version != OldDatabase.versions.last else { return #expect(backups.isEmpty, "there is no migration") }
        let backup = try #require(backups.first)
        // Everything except the records and the lookup, in the old schema.
        let expected = before.filter { row in
            let isOfRecords = ["record:", "scan:", "place:", "network:"].contains { row.hasPrefix($0) }
            return !isOfRecords && !(row.hasPrefix("entry:") && row.contains("\\\"1.1.1.1\\\""))
        }
        let difference = try SQLite(backup.path).everything().sorted().difference(from: expected.sorted())
        #expect(difference.map { "\($0)" } == [])
        // After the migration, the backup can still be restored.
        let outcome = try Restoration(path: folder.database).run(backup, at: Sample.now, bootID: Sample.bootID)
        #expect(outcome.contents == .init(addresses: 2, events: 3))
        try await folder.withStore { (store) async throws in
            let entries = try OldDatabase.entries().filter { $0.value.watch != nil }
            #expect(try store.restored().byAddress.mapValues(\.watch) == entries.mapValues(\.watch))
            #expect(try await store.events(after: 0) == OldDatabase.events())
        }
    }

    @Test(arguments: OldDatabase.versions) func `a database is recovered`(version: String) async throws {
        let folder = try TemporaryFolder()
        try OldDatabase.make(version, at: folder.database)
        let outcome = try Recovery(path: folder.database).run(at: Sample.now, bootID: Sample.bootID)
        #expect(outcome.entries == 3 && outcome.records == 2 && outcome.invalid == 0 && outcome.incomplete.isEmpty)
        try await folder.withStore { (store) async throws in
            try await Self.expectEverything(store, of: version)
            // The number of requests sent since then is unknown.
            #expect(try store.restored().windows.allSatisfy { $0.remaining == 0 })
        }
    }

    @Test func `a backup that cannot be written stops the migration`() throws {
        let folder = try TemporaryFolder()
        let version = OldDatabase.versions[3]
        try OldDatabase.make(version, at: folder.database)
        let before = try SQLite(folder.database).everything()
        let partial = Backup(of: folder.database, at: Sample.now.wall).partial
        FaultyFiles.set(.init(maxBytes: 8_192), of: partial)
        defer { FaultyFiles.set(nil, of: partial) }
        let error = #expect(throws: StoreError.self) { try Store(path: folder.database, backup: (7, Sample.now.wall)) }
        #expect(error?.description.contains("set backups = 0 in [store]") == true, "\(error as Any)")
        #expect(try SQLite(folder.database).everything() == before)
        try Store(path: folder.database, backup: (0, Sample.now.wall)).close()
    }

    /// The history is rebuilt from its readable rows, so the daemon must start.
    @Test func `a database with damaged history is migrated without a backup`() throws {
        let folder = try TemporaryFolder()
        try OldDatabase.make(OldDatabase.versions[5], at: folder.database)
        var pages = try DatabasePages(folder.database)
        _ = try pages.zeroLeaf(.first, of: "notice")
        let reports = Mutex<[String]>([])
        let store = try Store(path: folder.database, backup: (7, Sample.now.wall), onProgress: {}) { report in
            reports.withLock { $0.append(report) }
        }
        try store.close()
        #expect(try Backup.all(of: folder.database).isEmpty)
        let report = reports.withLock { $0 }
        #expect(report.count == 2 && report[0].contains("migrated without a backup"), "\(report)")
        #expect(report.last?.contains("has been rebuilt with its") == true, "\(report)")
    }

    @Test func `a database of a newer version is neither recovered nor restored`() throws {
        let folder = try TemporaryFolder()
        try Store(path: folder.database).close()
        try SQLite(folder.database).run("INSERT INTO grdb_migrations VALUES ('99: of the future')")
        #expect(throws: StoreError.newer(path: folder.database, schema: 99, known: Schema.newest)) {
            try Recovery(path: folder.database).run(at: Sample.now, bootID: Sample.bootID)
        }
        #expect(throws: Recovery.Problem.self) {
            try Restoration(path: folder.database).run(
                Backup(path: folder.database), at: Sample.now, bootID: Sample.bootID)
        }
    }
}
