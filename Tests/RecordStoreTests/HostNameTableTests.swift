import Foundation
import GRDB
import RecordKeeping
import Synchronization
import TestSupport
import Testing

@testable import RecordStore

/// Watched host names, their addresses and their events.
@Suite(.timeLimit(.minutes(20))) struct HostNameTableTests {
    private static func name(_ label: String) throws -> HostName { try HostName("\(label).example") }

    private static func saved(_ label: String, _ numbers: [Int] = [], failure: String? = nil) throws -> SavedName {
        SavedName(
            try name(label),
            WatchedName(
                addresses: try numbers.map(Sample.address), tags: ["a"], note: "n",
                answeredAt: WallTime(milliseconds: 1_789_999_000_000),
                failure: failure.map { NameFailure(reason: $0, since: WallTime(milliseconds: 1_789_999_999_000)) }))
    }

    private static func event(_ seq: Int64, _ kind: PublishedEvent.Kind, _ label: String) throws -> PublishedEvent {
        var event = Sample.event(seq, kind)
        event.name = try name(label)
        return event
    }

    @Test(arguments: 1...UInt64(8)) func `names are restored with all of their values`(seed: UInt64) async throws {
        var sample = Sample(seed: seed)
        var names: [HostName: WatchedName] = [:]
        for _ in 0..<20 { names[sample.hostName()] = sample.watchedName() }
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            // Each name is written twice: the second write replaces the first one.
            try await store.commit(names.keys.map { .putName(SavedName($0, sample.watchedName())) })
            try await store.commit(names.map { .putName(SavedName($0.key, $0.value)) })
        }
        let restored = try await folder.withStore { try $0.restored().names }
        #expect(Dictionary(uniqueKeysWithValues: restored.map { ($0.name, $0.watch) }) == names)
        #expect(restored.map(\.name) == names.keys.sorted())
    }

    @Test func `a removed name is not restored, and its events are kept`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit([
                .putName(try Self.saved("a", [1, 2])), .putName(try Self.saved("b", [2])),
                .event(try Self.event(1, .nameAdded, "a")), .event(Sample.event(2)),
                .event(try Self.event(3, .nameAdded, "b")), .event(try Self.event(4, .nameFailed, "a")),
            ])
            try await store.commit([.removeName(try Self.name("a")), .event(try Self.event(5, .nameRemoved, "a"))])
            #expect(try store.restored().names == [try Self.saved("b", [2])])
            #expect(try await store.events(of: Self.name("a")).map(\.seq) == [5, 4, 1])
            #expect(try await store.events(of: Self.name("a"), before: 5, limit: 1).map(\.seq) == [4])
            #expect(try await store.events(of: Self.name("c")) == [])
            #expect(
                try await store.events(after: 0).map(\.name?.description) == [
                    "a.example", nil, "b.example", "a.example", "a.example",
                ])
            try await store.commit([.forgetHistory(through: HistoryMark(elapsed: .zero, seq: 3, outage: 0))])
            #expect(try await store.events(of: Self.name("a")).map(\.seq) == [5, 4])
        }
    }

    @Test func `the events of a name are found by an index`() async throws {
        try await TemporaryFolder().withStore { (store) async throws in
            #expect(try await store.events(of: Self.name("a")) == [])
            try await store.commit([.event(try Self.event(1, .nameAdded, "a"))])
            #expect(try await store.events(of: Self.name("a")).map(\.seq) == [1])
            let plan = try store.pool.read {
                try Row.fetchAll(
                    $0, sql: "EXPLAIN QUERY PLAN SELECT * FROM notice WHERE name = 'a' AND seq < 9 ORDER BY seq DESC")
            }
            let details = plan.map { $0["detail"] as String }
            #expect(details.count == 1 && details[0].contains("USING INDEX notice_name"), "\(details)")
        }
    }

    @Test func `an older database gets the index when it is opened, with reports of progress`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit([.event(try Self.event(1, .nameAdded, "a"))])
        }
        try SQLite(folder.database).run(
            """
            DROP INDEX notice_name;
            WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
              INSERT INTO notice (seq, at, kind) SELECT i, i, 'networkLost' FROM n;
            """)
        let reports = Mutex(0)
        let store = try Store(path: folder.database) { reports.withLock { $0 += 1 } }
        #expect(reports.withLock { $0 } > 0)
        #expect(try await store.events(of: Self.name("a")).map(\.seq) == [1])
        // The first name changes nothing in the schema.
        let schema = try SQLite(folder.database).rows("SELECT * FROM sqlite_master")
        try await store.commit([.putName(try Self.saved("a"))])
        #expect(try SQLite(folder.database).rows("SELECT * FROM sqlite_master") == schema)
        try store.close()
    }

    @Test func `damaged events do not prevent the index`() async throws {
        let folder = try await HistoryDamageTests.folder()
        try SQLite(folder.database).run("DROP INDEX notice_name")
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(.middle, of: "notice"))
        let reports = Mutex<[String]>([])
        let store = try Store(path: folder.database, report: { report in reports.withLock { $0.append(report) } })
        #expect(reports.withLock { $0.count == 1 && $0[0].contains("has been rebuilt with its") })
        try await store.commit([.event(try Self.event(HistoryDamageTests.count + 1, .nameAdded, "a"))])
        #expect(try await store.events(of: Self.name("a")).map(\.seq) == [HistoryDamageTests.count + 1])
        try store.close()
    }

    @Test func `rows that cannot be decoded are reported, and damaged times count as missing`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit([
                .putName(try Self.saved("a", [1, 2], failure: "no reply")), .putName(try Self.saved("b", [3])),
                .putName(try Self.saved("c")),
            ])
        }
        try SQLite(folder.database).run(
            """
            UPDATE host_name SET name = 'not a name' WHERE name = 'b.example';
            UPDATE host_name SET tags = '[' WHERE name = 'c.example';
            UPDATE host_name SET answered_at = -1, failing_since = 9e15 WHERE name = 'a.example';
            UPDATE host_address SET address = 'nowhere' WHERE address = '192.0.0.2';
            """)
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(unreadable.map(\.table).sorted() == ["host_address", "host_name", "host_name"])
            let name = try #require(restored.names.first)
            #expect(try restored.names.count == 1 && name.watch.addresses == [Sample.address(1)])
            #expect(name.watch.answeredAt == nil)
            #expect(name.watch.failure == NameFailure(reason: "no reply", since: Sample.now.wall))
        }
    }

    @Test func `a rebuilt table of events keeps their names and the index`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit([
                .putName(try Self.saved("a")), .event(try Self.event(1, .nameAdded, "a")),
                .event(Sample.change(2, of: Sample.address(1))),
            ])
            try store.rebuild(DamagedHistory(table: .notice, message: "test")) {}
            try await store.commit([.event(try Self.event(3, .nameFailed, "a"))])
            #expect(try await store.events(of: Self.name("a")).map(\.seq) == [3, 1])
        }
        #expect(
            try SQLite(folder.database).text("SELECT count(*) FROM sqlite_master WHERE name = 'notice_name'") == "1")
    }

    @Test func `names are recovered and restored from a backup`() async throws {
        let folder = try TemporaryFolder()
        let saved = try Self.saved("a", [1])
        let backup = try await folder.withStore { (store) async throws in
            try await store.commit(
                Sample.writes(try Sample.address(1), Sample.entry()) + [
                    .putName(saved), .event(try Self.event(1, .nameAdded, "a")),
                ])
            return try await store.backUp(keeping: 7, at: Sample.now.wall)
        }
        _ = try Recovery(path: folder.database).run(at: Sample.now, bootID: Sample.bootID)
        #expect(try await folder.withStore { try $0.restored().names } == [saved])
        #expect(try await folder.withStore { try await $0.events(of: saved.name).map(\.seq) } == [1])
        try await folder.withStore { (store) async throws in
            try await store.commit([.removeName(saved.name), .event(try Self.event(2, .nameRemoved, "a"))])
        }
        _ = try Restoration(path: folder.database).run(
            try #require(backup), at: Sample.now, bootID: Sample.bootID)
        #expect(try await folder.withStore { try $0.restored().names } == [saved])
    }
}
