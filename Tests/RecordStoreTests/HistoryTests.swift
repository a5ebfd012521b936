import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// Changes of records, and outages.
@Suite(.timeLimit(.minutes(20))) struct HistoryTests {
    @Test func `changes of an address are returned newest first, in pages`() async throws {
        let (one, two) = (try Sample.address(1), try Sample.address(2))
        let changes = (1...9).map { Sample.change($0, of: $0 % 3 == 0 ? two : one) }
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(changes.map { .event($0) })
            #expect(try await store.changes(of: one).map(\.seq) == [8, 7, 5, 4, 2, 1])
            #expect(try await store.changes(of: one, limit: 2).map(\.seq) == [8, 7])
            #expect(try await store.changes(of: one, before: 7, limit: 2).map(\.seq) == [5, 4])
            #expect(try await store.changes(of: two, before: 3).isEmpty)
            let reported = try #require(try await store.changes(of: two, limit: 1).first)
            #expect(reported.fields == changes[8].fields && reported.at == changes[8].at && reported.address == two)
            // A row that cannot be decoded is skipped.
            try SQLite(store.path).run("UPDATE change SET fields = '[{' WHERE seq = 8")
            #expect(try await store.changes(of: one).map(\.seq) == [7, 5, 4, 2, 1])
            #expect(try await store.changes(of: one, limit: 1).map(\.seq) == [7], "the page contains the next row")
        }
    }

    private static func outage(_ number: Int64, since: Int64, until: Int64?, deferred: Int = 0) -> Outage {
        Outage(
            number: number, since: WallTime(milliseconds: since), until: until.map { WallTime(milliseconds: $0) },
            cause: number % 2 == 0 ? .network : .provider, message: "because \(number)", deferred: deferred)
    }

    @Test func `outages are returned newest first, in pages, each as it was last written`() async throws {
        let folder = try TemporaryFolder()
        let ended = (1...5).map { Self.outage($0, since: $0 * 100, until: $0 * 100 + 50, deferred: Int($0)) }
        let open = Self.outage(6, since: 600, until: nil)
        try await folder.withStore { (store) async throws in
            for outage in ended {
                var begun = outage
                begun.until = nil
                try await store.commit([.outage(begun)])
                try await store.commit([.outage(outage)])
            }
            #expect(try store.restored().outage == nil)
            #expect(try store.restored().lastOutage == 5)
            try await store.commit([.outage(open)])
            #expect(try await store.outages() == [open] + ended.reversed())
            #expect(try await store.outages(limit: 2).map(\.number) == [6, 5])
            #expect(try await store.outages(before: WallTime(milliseconds: 500), limit: 2).map(\.number) == [4, 3])
            try SQLite(store.path).run("UPDATE outage SET cause = 'invented' WHERE number = 4")
            let next = try await store.outages(before: WallTime(milliseconds: 500), limit: 2)
            #expect(next.map(\.number) == [3, 2], "invalid rows are skipped")
            try SQLite(store.path).run("UPDATE outage SET cause = 'network' WHERE number = 4")
        }
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().outage == open)
            #expect(try store.restored().lastOutage == 6)
            try await store.commit([.forgetHistory(through: HistoryMark(elapsed: .zero, seq: 0, outage: 2))])
            #expect(try await store.outages().map(\.number) == [6, 5, 4, 3])
        }
    }

    @Test func `expired changes are found without reading every history`() async throws {
        let folder = try TemporaryFolder()
        try Store(path: folder.database).close()
        let plan = try [Store.expiredAddresses, Store.forgetChanges].flatMap {
            try SQLite(folder.database).rows("EXPLAIN QUERY PLAN \($0.replacing("?", with: "1"))").joined()
        }
        #expect(plan.contains { $0.contains("SEARCH change USING PRIMARY KEY (address=? AND seq<?)") }, "\(plan)")
        #expect(plan.contains { $0.contains("SEARCH notice USING INTEGER PRIMARY KEY (rowid<?)") }, "\(plan)")
    }
}
