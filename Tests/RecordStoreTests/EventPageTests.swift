import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// Kept events are read in order, and the oldest are deleted first.
@Suite(.timeLimit(.minutes(20))) struct EventPageTests {
    /// Runs the body with a store that has events at these wall times, numbered from 1.
    private static func withEvents(at walls: [Int64], _ body: (Store) async throws -> Void) async throws {
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(zip(1..., walls).map { .event(Sample.event($0, at: $1)) })
            try await body(store)
        }
    }

    @Test func `the last seq stays after all events are deleted, even across a restart`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit((1...9).map { .event(Sample.event($0)) })
            try await store.commit([.forget(through: 9)])
            #expect(try store.restored().lastSeq == 9)
            #expect(try store.restored().oldestSeq == nil)
        }
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().lastSeq == 9)
            try await store.commit([.event(Sample.event(10)), .forget(through: 10)])
            #expect(try store.restored().lastSeq == 10)
        }
    }

    @Test func `events are deleted up to a mark, whatever their wall times are`() async throws {
        try await Self.withEvents(at: [100, 50, 200, 80, 90, 300]) { (store) async throws in
            try await store.commit([.forget(through: 2)])
            #expect(try await store.events(after: 0).map(\.seq) == [3, 4, 5, 6])
            #expect(try store.restored().oldestSeq == 3)
        }
    }

    @Test func `changes are deleted with their events, and the count decreases`() async throws {
        let address = try Sample.address(1)
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit((1...5).map { .event(Sample.change($0, of: address, at: $0 * 100)) })
            #expect(store.changeCount == 5)
            try await store.commit([.forget(through: 2)])
            #expect(store.changeCount == 3)
            try await store.commit([.forget(through: 2)])
            #expect(store.changeCount == 3)
            #expect(try await store.changes(of: address).map(\.seq) == [5, 4, 3])
        }
    }

    @Test func `the retention clock and its marks are restored, and another boot is detected`() async throws {
        let folder = try TemporaryFolder()
        let clock = SavedHistoryClock(elapsed: .seconds(900), at: Sample.now)
        let marks = [0, 300, 600].map { HistoryMark(elapsed: .seconds($0), seq: Int64($0), outage: 2) }
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().historyClock == nil)
            try await store.commit(marks.map { .historyMark($0) } + [.historyClock(clock)])
            #expect(try store.restored().historyClock == clock)
            #expect(try store.restored().historyMarks == marks)
            #expect(try store.restored().lastOutage == 2, "the number of a deleted outage is not reused")
            let elsewhere = try store.restored(bootID: Sample.otherBootID).historyClock
            #expect(elsewhere == SavedHistoryClock(elapsed: .seconds(900), at: Sample.now, isOfEarlierBoot: true))
            try await store.commit([.forgetHistory(through: marks[1])])
            #expect(try store.restored().historyMarks == [marks[2]])
        }
    }

    @Test func `alerts after the journal mark are restored, and other events are not`() async throws {
        let folder = try TemporaryFolder()
        let events = [PublishedEvent.Kind.networkLost, .added, .networkRestored, .failed, .removed].enumerated().map {
            Sample.event(Int64($0 + 1), $1)
        }
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().unloggedAlerts.isEmpty)
            try await store.commit(events.map { .event($0) })
            #expect(try store.restored().unloggedAlerts.map(\.seq) == [1, 3, 4])
            try await store.commit([.alertsLogged(through: 3)])
            #expect(try store.restored().unloggedAlerts == [events[3]])
            try await store.commit([.alertsLogged(through: 5)])
            #expect(try store.restored().unloggedAlerts.isEmpty)
        }
    }

    @Test func `the mark of file entries is restored, and missing in a new database`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().hasFileEntries == nil)
            for value in [true, false] {
                try await store.commit([.hasFileEntries(value)])
                #expect(try store.restored().hasFileEntries == value)
            }
        }
    }

    @Test func `the number of changes is restored, and counts only events with fields`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit([
                .event(Sample.change(1, of: try Sample.address(1))), .event(Sample.event(2)),
                .event(Sample.change(3, of: try Sample.address(2))),
            ])
            #expect(store.changeCount == 2)
        }
        try await folder.withStore { (store) async throws in
            _ = try store.restored()
            #expect(store.changeCount == 2)
        }
    }

    @Test func `pages follow each other without gaps or repetition`() async throws {
        try await Self.withEvents(at: Array(repeating: 1, count: 50)) { (store) async throws in
            var pages: [[Int64]] = []
            repeat {
                pages.append(try await store.events(after: pages.last?.last ?? 0, limit: 7).compactMap(\.seq))
            } while pages.last?.isEmpty == false
            #expect(pages.map(\.count) == [7, 7, 7, 7, 7, 7, 7, 1, 0])
            #expect(pages.flatMap { $0 } == Array(1...50))
        }
    }

    @Test func `a page has at most its limit, and no events at or before its cursor`() async throws {
        try await Self.withEvents(at: [1, 1, 1, 1, 1]) { (store) async throws in
            #expect(try await store.events(after: 2, limit: 2).map(\.seq) == [3, 4])
            #expect(try await store.events(after: 2, limit: 99).map(\.seq) == [3, 4, 5])
            #expect(try await store.events(after: 2, limit: 0).isEmpty)
            #expect(try await store.events(after: 5, limit: 2).isEmpty)
            #expect(try await store.events(after: .max, limit: 2).isEmpty)
        }
    }

    @Test func `a page ends at a gap, so that the next one begins after it`() async throws {
        try await Self.withEvents(at: Array(repeating: 1, count: 9)) { (store) async throws in
            try SQLite(store.path).run("DELETE FROM notice WHERE seq IN (4, 5)")
            #expect(try await store.eventPage(after: 0).seqs == 1...3)
            #expect(try await store.eventPage(after: 3).seqs == 6...9)
            #expect(try await store.eventPage(after: 3).events.map(\.seq) == [6, 7, 8, 9])
        }
    }

    @Test func `a change whose event is lost is deleted with a later one of its address`() async throws {
        let address = try Sample.address(1)
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit((1...5).map { .event(Sample.change($0, of: address)) })
            try SQLite(store.path).run("DELETE FROM notice WHERE seq IN (1, 2)")
            try await store.commit([.forget(through: 3)])
            #expect(try await store.changes(of: address).map(\.seq) == [5, 4])
            #expect(store.changeCount == 2)
        }
    }

    @Test func `an event that cannot be decoded is skipped, and the page is filled with subsequent ones`() async throws
    {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit((1...8).map { .event(Sample.event($0)) })
            try SQLite(folder.database).run(
                """
                UPDATE notice SET kind = 'invented' WHERE seq = 2;
                UPDATE notice SET address = 'nowhere' WHERE seq = 3;
                UPDATE notice SET fields = '[{' WHERE seq = 5;
                """)
            #expect(try await store.events(after: 0, limit: 3).map(\.seq) == [1, 4, 6])
            #expect(try await store.events(after: 6, limit: 3).map(\.seq) == [7, 8])
            let page = try await store.eventPage(after: 1, limit: 1)
            #expect(page.events.map(\.seq) == [4] && page.seqs == 2...4, "the page covers the skipped events")
            #expect(try await store.eventPage(after: 8).seqs == nil)
        }
    }

    @Test func `a seq cannot be used twice`() async throws {
        try await Self.withEvents(at: [1]) { (store) async throws in
            await #expect(throws: StoreError.self) { try await store.commit([.event(Sample.event(1))]) }
        }
    }
}

extension Commit.Write {
    fileprivate static func forget(through seq: Int64) -> Commit.Write {
        .forgetHistory(through: HistoryMark(elapsed: .zero, seq: seq, outage: 0))
    }
}
