import GRDB
import RecordKeeping
import Synchronization
import TestSupport
import Testing

@testable import RecordStore

/// Damage on any page of the history stops neither the start nor changes.
@Suite(.timeLimit(.minutes(20))) struct HistoryDamageTests {
    /// Enough rows for several leaf pages in each table and index.
    static let count: Int64 = 1_000
    static let addresses = 10

    struct Damage: CustomTestStringConvertible, Sendable {
        let name: String
        let place: DatabasePages.Place
        let migrations: String?

        var testDescription: String { "\(name), \(place) leaf\(migrations.map { ", schema \($0.prefix(1))" } ?? "")" }

        static let all =
            ["notice", "change", "outage", "outage_since"].flatMap { name in
                DatabasePages.Place.allCases.map { Damage(name: name, place: $0, migrations: nil) }
            }
            + ["change_at", "change"].flatMap { name in
                DatabasePages.Place.allCases.map {
                    Damage(name: name, place: $0, migrations: "4: changes by their time")
                }
            }
    }

    /// A closed database of many events, changes and outages, with some entries.
    static func folder(upTo migration: String? = nil) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            var writes = try Sample.writes(1...Self.addresses) { _ in Sample.entry() }
            for seq in 1...Self.count {
                let address = try Sample.address(Int(seq) % Self.addresses + 1)
                writes.append(.event(Sample.change(seq, of: address, at: seq)))
                let since = WallTime(milliseconds: seq * 1_000)
                writes.append(
                    .outage(
                        Outage(
                            number: seq, since: since, until: since, cause: .network, message: "no route", deferred: 0)
                    ))
            }
            try await store.commit(writes)
        }
        guard migration != nil else { return folder }
        try SQLite(folder.database).run(
            """
            DROP TABLE history_mark;
            DELETE FROM meta WHERE name <> 'last_seq';
            CREATE INDEX change_at ON change (at);
            DELETE FROM grdb_migrations WHERE identifier LIKE '5:%';
            """)
        return folder
    }

    @Test(arguments: Damage.all) func `entries are served, and every change is written`(damage: Damage) async throws {
        let folder = try await Self.folder(upTo: damage.migrations)
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(damage.place, of: damage.name), "the b-tree must have several leaves")
        let reports = Mutex<[String]>([])
        let store = try Store(path: folder.database, report: { report in reports.withLock { $0.append(report) } })
        let restored = try store.restored()
        #expect(restored.entries.count == Self.addresses)
        #expect(restored.lastSeq == Self.count && restored.lastOutage >= Self.count - 200)

        // Each kind of write to the history, in a commit of its own.
        let (seq, outage, gone) = (restored.lastSeq + 1, restored.lastOutage + 1, try Sample.address(1))
        let kept = try Sample.address(2)
        let wall = WallTime(milliseconds: 9_000_000)
        try await store.commit([.event(Sample.change(seq, of: kept))])
        try await store.commit([
            .outage(Outage(number: outage, since: wall, until: nil, cause: .provider, message: "late", deferred: 0))
        ])
        try await store.commit([.remove(Sample.key(gone))])
        let mark = HistoryMark(elapsed: .seconds(1), seq: Self.count / 2, outage: Self.count / 2)
        try await store.commit([.historyMark(mark), .forgetHistory(through: mark)])

        // At most one page of each table is lost. Tables that were not written are still damaged, and queries of them
        // fail.
        if let events = try? await store.eventsAcrossGaps() { #expect(events.count > 400) }
        if let outages = try? await store.outages() { #expect(outages.count > 300) }
        if let changes = try? await store.changes(of: kept) { #expect(changes.count > 20) }
        let isIndexOfOld = damage.name == "change_at"
        #expect(reports.withLock { $0.allSatisfy { $0.contains("has been rebuilt with its") } })
        if isIndexOfOld { #expect(try await store.changes(of: kept).count > 40, "the table itself is undamaged") }
        if let rows = try? SQLite(folder.database).rows("SELECT count(*) FROM change") {
            #expect(rows == [["\(store.changeCount)"]], "the counter matches the number of rows")
        }
        try store.close()
        try await folder.withStore { (store) async throws in
            let again = try store.restored()
            #expect(again.entries.count == Self.addresses - 1)
            #expect(again.lastSeq == seq && again.outage?.number == outage)
        }
    }
}
