import Foundation
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// A backup takes the place of the database.
@Suite(.timeLimit(.minutes(20))) struct RestorationTests {
    @Test func `a backup replaces a file of random bytes`() async throws {
        let folder = try TemporaryFolder()
        let (backup, before) = try await folder.withStore { (store) async throws in
            try await BackupTests.fill(store)
            let backup = try #require(try await store.backUp(keeping: 7, at: BackupTests.now.wall))
            return (backup, try store.restored())
        }
        var random = Random(seed: 6)
        let noise = Data((0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        try noise.write(to: URL(filePath: folder.database))
        let outcome = try Restoration(path: folder.database).run(backup, at: BackupTests.now, bootID: Sample.bootID)
        #expect(
            outcome
                == .init(
                    replaced: folder.database + ".replaced-1800000000", contents: .init(addresses: 500, events: 40)))
        #expect(try Data(contentsOf: URL(filePath: folder.database + ".replaced-1800000000")) == noise)
        try await folder.withStore { (store) async throws in
            let after = try store.restored(at: BackupTests.now)
            #expect(after.byAddress.mapValues(\.watch) == before.byAddress.mapValues(\.watch))
            #expect(after.byAddress.values.allSatisfy { $0.scan == nil })
            #expect(after.lastSeq == 100_000_040 && after.lastOutage == 1)
            // It is unknown how many requests were sent in the current window.
            #expect(
                after.windows.count == 2
                    && after.windows.allSatisfy {
                        $0.remaining == 0 && $0.resetsAt?.boot == BackupTests.now.boot + .seconds(64)
                            && !$0.isOfEarlierBoot
                    })
            #expect(try await store.outages().count == 1)
        }
    }

    /// A listener that has received later events learns that some are lost.
    @Test func `the seqs after a restore are larger than all earlier ones`() async throws {
        let folder = try TemporaryFolder()
        let backup = try await folder.withStore { (store) async throws in
            try await BackupTests.fill(store)
            let backup = try #require(try await store.backUp(keeping: 7, at: BackupTests.now.wall))
            try await store.commit([.event(Sample.event(41)), .event(Sample.event(42))])
            return backup
        }
        _ = try Restoration(path: folder.database).run(backup, at: BackupTests.now, bootID: Sample.bootID)
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().lastSeq > 42)
            #expect(try await store.events(after: 0).last?.seq == 40)
        }
    }

    @Test func `a restore ends an outage and a network loss at the time of the backup`() async throws {
        let folder = try TemporaryFolder()
        let backup = try await folder.withStore { (store) async throws in
            let outage = Outage(
                number: 1, since: BackupTests.now.wall, until: nil, cause: .network, message: "no route", deferred: 3)
            try await store.commit(
                Sample.writes(try Sample.address(1), Sample.entry()) + [
                    .outage(outage), .networkLoss(SavedLoss(since: BackupTests.now.wall, reason: "no route")),
                ])
            return try #require(try await store.backUp(keeping: 7, at: BackupTests.day(1)))
        }
        _ = try Restoration(path: folder.database).run(
            backup, at: BackupTests.now.advanced(by: .seconds(3 * 86_400)), bootID: Sample.bootID)
        try await folder.withStore { (store) async throws in
            let restored = try store.restored()
            #expect(restored.outage == nil && restored.networkLoss == nil)
            #expect(try await store.outages().map(\.until) == [backup.madeAt])
        }
    }

    @Test func `a damaged backup is not restored, and a database in use is not replaced`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        try await BackupTests.fill(store)
        let backup = try #require(try await store.backUp(keeping: 7, at: BackupTests.now.wall))
        #expect(throws: StoreError.self) {
            try Restoration(path: folder.database).run(backup, at: BackupTests.now, bootID: Sample.bootID)
        }
        try store.close()
        var pages = try DatabasePages(backup.path)
        _ = try pages.zeroLeaf(.middle, of: "entry")
        let before = try Data(contentsOf: URL(filePath: folder.database))
        #expect(throws: Recovery.Problem.self) {
            try Restoration(path: folder.database).run(backup, at: BackupTests.now, bootID: Sample.bootID)
        }
        #expect(try Data(contentsOf: URL(filePath: folder.database)) == before)
    }

    @Test func `a full copy of a database whose history was rebuilt is restored`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await BackupTests.fill(store)
            #expect(try HistoryRebuild(of: .notice, in: store.pool, onProgress: {}).run() == 40)
        }
        // The rebuild leaves the pages of the old table behind.
        #expect(try SQLite(folder.database).rows("PRAGMA quick_check") != [["\"ok\""]])
        let copy = folder.file("copy.db")
        try FileManager.default.copyItem(atPath: folder.database, toPath: copy)
        let outcome = try Restoration(path: folder.database).run(
            Backup(path: copy), at: BackupTests.now, bootID: Sample.bootID)
        #expect(outcome.contents == .init(addresses: 500, events: 40, records: 500))
    }

    @Test func `the seqs after a second restore of a backup are larger than those after the first`() async throws {
        let folder = try TemporaryFolder()
        let backup = try await folder.withStore { (store) async throws in
            try await BackupTests.fill(store)
            return try #require(try await store.backUp(keeping: 7, at: BackupTests.now.wall))
        }
        _ = try Restoration(path: folder.database).run(backup, at: BackupTests.now, bootID: Sample.bootID)
        let last = try await folder.withStore { (store) async throws in
            let last = try store.restored().lastSeq + 1
            try await store.commit([.event(Sample.event(last))])
            return last
        }
        _ = try Restoration(path: folder.database).run(backup, at: BackupTests.now, bootID: Sample.bootID)
        let again = try await folder.withStore { (store) async throws in try store.restored().lastSeq }
        #expect(again > last)
    }

    @Test(arguments: [
        "UPDATE meta SET value = 9223372036854775807 WHERE name = 'last_seq'",
        "UPDATE quota_window SET length = 9000000000000000",
        "PRAGMA ignore_check_constraints = ON; UPDATE endpoint_health SET failure_attempts = 'x', retry_at = 9e15",
    ])
    func `a damaged value does not prevent a restore or a recovery`(damage: String) async throws {
        let folder = try TemporaryFolder()
        let backup = try await folder.withStore { (store) async throws in
            try await BackupTests.fill(store)
            try await store.commit([
                .window(
                    SavedWindow(
                        provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 3,
                        resetsAt: BackupTests.now, length: .seconds(60))),
                .health(
                    SavedHealth(
                        provider: "http://ip-api.com", endpoint: .batch, state: .failing, since: BackupTests.now.wall,
                        failure: Failure(kind: .timeout, message: "late", at: BackupTests.now, attempts: 2),
                        retryAt: BackupTests.now.advanced(by: .seconds(3_600)), isFromRetryAfter: true)),
            ])
            return try #require(try await store.backUp(keeping: 7, at: BackupTests.now.wall))
        }
        let table = damage.contains("meta") ? "meta" : damage.contains("quota") ? "quota_window" : "endpoint_health"
        // A backup with a value of a wrong type is not restored.
        for path in table == "endpoint_health" ? [folder.database] : [folder.database, backup.path] {
            try SQLite.withoutChecks(of: table, in: path) { try SQLite(path).run(damage) }
        }
        let recovered = try Recovery(path: folder.database).run(at: BackupTests.now, bootID: Sample.bootID)
        #expect(recovered.entries == 500)
        try await folder.withStore { (store) async throws in #expect(try store.restored().entries.count == 500) }
        let outcome = try Restoration(path: folder.database).run(backup, at: BackupTests.now, bootID: Sample.bootID)
        #expect(outcome.contents.addresses == 500)
        try await folder.withStore { (store) async throws in #expect(try store.restored().entries.count == 500) }
    }

    /// SQLite would delete the log.
    @Test func `the log of a database that was truncated to nothing is kept`() async throws {
        let folder = try TemporaryFolder()
        let log = folder.database + "-wal"
        let (backup, bytes) = try await folder.withStore { (store) async throws in
            try await BackupTests.fill(store)
            let backup = try #require(try await store.backUp(keeping: 7, at: BackupTests.now.wall))
            try await store.commit([.event(Sample.event(41))])
            return (backup, try Data(contentsOf: URL(filePath: log)))
        }
        try Data().write(to: URL(filePath: folder.database))
        try bytes.write(to: URL(filePath: log))
        let error = #expect(throws: StoreError.self) { try Store(path: folder.database) }
        #expect(error?.description.contains("iprecordd --recover") == true, "\(error as Any)")
        #expect(try Data(contentsOf: URL(filePath: log)) == bytes)
        let outcome = try Recovery(path: folder.database).run(at: BackupTests.now, bootID: Sample.bootID)
        #expect(outcome.backup == backup && outcome.entries == 500)
        #expect(try Data(contentsOf: URL(filePath: #require(outcome.damaged) + "-wal")) == bytes)
    }
}
