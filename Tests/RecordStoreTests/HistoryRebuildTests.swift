import Dispatch
import GRDB
import RecordKeeping
import Synchronization
import TestSupport
import Testing

@testable import RecordStore

/// A history table is rebuilt in pieces, if SQLite cannot use it, and only then.
@Suite(.timeLimit(.minutes(20))) struct HistoryRebuildTests {
    /// The number of events in a history whose rebuild takes several pieces.
    private static let largeCount: Int64 = 20_000

    /// Returns a closed database with many events. The last leaf of their table is damaged, so that no event can be
    /// written.
    ///
    /// - Parameter message: the text of each event.
    private static func largeFolder(message: String? = nil) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try Store(path: folder.database).close()
        try SQLite(folder.database).run(
            """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(largeCount))
              INSERT INTO notice (seq, at, kind, message) SELECT n, n, 'added', \(message.map { "'\($0)'" } ?? "NULL") FROM number;
            UPDATE meta SET value = \(largeCount) WHERE name = 'last_seq';
            """)
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(.last, of: "notice"))
        return folder
    }

    private static func tables(_ folder: TemporaryFolder) throws -> [String] {
        try SQLite(folder.database).rows("SELECT name FROM sqlite_master WHERE name GLOB '*rebuilt*'").flatMap { $0 }
    }

    @Test func `a rebuild keeps every column of the events`() async throws {
        var sample = Sample(seed: 5)
        let events = (1...50).map { sample.event($0) }
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(events.map { .event($0) })
            #expect(try HistoryRebuild(of: .notice, in: store.pool, onProgress: {}).run() == events.count)
            #expect(try await store.events(after: 0) == events)
        }
    }

    // MARK: Pieces

    @Test func `a rebuild at the start reports its progress`() async throws {
        let folder = try Self.largeFolder()
        let reports = Mutex(0)
        try await folder.withStore { (store) async throws in
            let (restored, _, _) = try store.restore(
                at: Sample.now, bootID: Sample.bootID, onProgress: { reports.withLock { $0 += 1 } },
                receive: { _, _ in })
            #expect(restored.lastSeq == Self.largeCount)
            #expect(try await store.eventsAcrossGaps().count > Self.largeCount - 1_000)
        }
        #expect(reports.withLock { $0 } >= 5)
        #expect(try Self.tables(folder).isEmpty)
    }

    @Test func `a rebuild for a commit calls back while it makes progress`() async throws {
        try await Self.largeFolder().withStore { (store) async throws in
            let calls = Mutex(0)
            let isCommitted = Mutex(false)
            let hold = DispatchSemaphore(value: 0)
            @Sendable func callAgain() {
                guard !isCommitted.withLock({ $0 }) else { return }
                calls.withLock { $0 += 1 }
                store.afterProgress(callAgain)
            }
            // The first call must be requested before the commit begins.
            store.writer.async { hold.wait() }
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let write = Commit.Write.event(Sample.event(Self.largeCount + 1))
                store.commit(Commit(id: .init(number: 1), writes: [write]), bootID: Sample.bootID) { result in
                    isCommitted.withLock { $0 = true }
                    continuation.resume(with: result)
                }
                callAgain()
                hold.signal()
            }
            #expect(calls.withLock { $0 } >= 5)
            #expect(try await store.events(after: Self.largeCount).map(\.seq) == [Self.largeCount + 1])
        }
    }

    @Test func `a failed rebuild leaves the table as it was, and no copy`() async throws {
        let folder = try Self.largeFolder()
        try await folder.withStore { (store) async throws in
            let write = Commit.Write.event(Sample.event(Self.largeCount + 1))
            // As on a full disk.
            try await store.pool.writeWithoutTransaction { database in
                let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                try database.execute(sql: "PRAGMA max_page_count = \(count + 20)")
            }
            await #expect(throws: StoreError.self) { try await store.commit([write]) }
            #expect(try Self.tables(folder).isEmpty)
            try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
            try await store.commit([write])
            #expect(try await store.eventsAcrossGaps().count > Self.largeCount - 1_000)
        }
    }

    @Test func `a rebuild without room in the log leaves room for other commits`() async throws {
        let folder = try Self.largeFolder(message: String(repeating: "x", count: 300))
        // The copy takes 6 MB, its first piece 1.3 MB, and the other commits take some 0.7 MB.
        FaultyFiles.set(.init(maxBytes: 1_500_000), of: folder.database + "-wal")
        defer { FaultyFiles.set(nil, of: folder.database + "-wal") }
        let event = Commit.Write.event(Sample.event(Self.largeCount + 1))
        let store = try Store(path: folder.database)
        let error = await #expect(throws: StoreError.self) { try await store.commit([event]) }
        #expect("\(try #require(error))".contains("full"))
        for number in 1...30 {
            try await store.commit(Sample.writes(try Sample.address(number), Sample.entry()))
        }
        try store.close()
        FaultyFiles.set(nil, of: folder.database + "-wal")
        try await folder.withStore { try await $0.commit([event]) }
    }

    // MARK: Damage

    @Test(arguments: HistoryTable.allCases) func `a table that can be read but not written is rebuilt`(
        table: HistoryTable
    ) async throws {
        let folder = try await HistoryDamageTests.folder()
        let (seq, address) = (HistoryDamageTests.count + 1, try Sample.address(2))
        let marks = [1, 2].map { HistoryMark(elapsed: .seconds($0), seq: seq - 1, outage: seq - 1) }
        try await folder.withStore { try await $0.commit([.historyMark(marks[0])]) }
        var pages = try DatabasePages(folder.database)
        try pages.damageFreeBlocks(of: table.rawValue)
        let reports = Mutex<[String]>([])
        let store = try Store(path: folder.database, report: { report in reports.withLock { $0.append(report) } })
        _ = try store.restored()
        #expect(reports.withLock { $0.isEmpty })
        let since = WallTime(milliseconds: 9_000_000)
        try await store.commit([
            .event(Sample.change(seq, of: address)),
            .outage(Outage(number: seq, since: since, until: since, cause: .network, message: "late", deferred: 0)),
            .historyMark(marks[1]),
        ])
        #expect(reports.withLock { $0.count == 1 && $0[0].contains("\"\(table.rawValue)\"") })
        #expect(try await store.events(after: 0).count == Int(seq), "all rows are readable")
        #expect(try await store.outages().count == Int(seq))
        #expect(store.changeCount == seq)
        let clock = Commit.Write.historyClock(SavedHistoryClock(elapsed: .seconds(9), at: Sample.now))
        try await store.commit([clock])
        #expect(try store.restored().historyMarks == marks)
        try store.close()
        #expect(try SQLite(folder.database).rows("SELECT count(*) FROM change") == [["\(seq)"]])
    }

    @Test func `damaged marks stop neither the start nor changes`() async throws {
        let folder = try await HistoryDamageTests.folder()
        let mark = HistoryMark(elapsed: .seconds(1), seq: 1, outage: 1)
        try await folder.withStore { try await $0.commit([.historyMark(mark)]) }
        var pages = try DatabasePages(folder.database)
        _ = try pages.zeroLeaf(.first, of: "history_mark")
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().historyMarks.isEmpty)
            #expect(try store.restored().entries.count == HistoryDamageTests.addresses)
            try await store.commit([.historyMark(mark), .forgetHistory(through: mark)])
        }
    }

    @Test func `lost events are restored from their changes, and both expire`() async throws {
        let folder = try await HistoryDamageTests.folder()
        let events = try await folder.withStore { try await $0.events(after: 0) }
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(.first, of: "notice"))
        try await folder.withStore { (store) async throws in
            _ = try store.restored()
            #expect(try await store.events(after: 0) == events)
            try await store.commit([.forgetHistory(through: HistoryMark(elapsed: .zero, seq: 900, outage: 0))])
            #expect(store.changeCount == 100)
        }
    }

    @Test(arguments: [HistoryTable.notice, .outage, .mark]) func `unreadable sectors of history do not stop the start`(
        table: HistoryTable
    ) async throws {
        let folder = try await HistoryDamageTests.folder()
        let mark = HistoryMark(elapsed: .zero, seq: 1, outage: 1)
        let clock = SavedHistoryClock(elapsed: .seconds(9), at: Sample.now)
        try await folder.withStore { try await $0.commit([.historyMark(mark), .historyClock(clock)]) }
        let before = try SQLite(folder.database).everything()
        let range = try DatabasePages(folder.database).range(ofLeaf: .last, of: table.rawValue)
        FaultyFiles.set(.init(unreadable: range), of: folder.database)
        defer { FaultyFiles.set(nil, of: folder.database) }
        let reports = Mutex<[String]>([])
        let store = try Store(path: folder.database, report: { report in reports.withLock { $0.append(report) } })
        let restored = try store.restored()
        #expect(restored.entries.count == HistoryDamageTests.addresses)
        #expect(restored.lastSeq == HistoryDamageTests.count)
        #expect(restored.lastOutage >= HistoryDamageTests.count, "a new outage must not get the number of a stored one")
        #expect(restored.historyClock == clock)
        let texts = reports.withLock { $0 }
        #expect(texts.count == 1, "\(texts)")
        #expect(texts.allSatisfy { $0.contains("without history table \"\(table.rawValue)\"") && $0.contains("I/O") })
        try store.close()
        FaultyFiles.set(nil, of: folder.database)
        #expect(try SQLite(folder.database).everything() == before, "nothing is deleted")
    }
}
