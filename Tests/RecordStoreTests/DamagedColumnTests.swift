import Foundation
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// No value in any column crashes the program. A damaged page may hold texts in columns of numbers, and NULL in
/// required columns, because SQLite checks neither when it reads.
@Suite(.timeLimit(.minutes(20))) struct DamagedColumnTests {
    private static let values = ["NULL", "'a text'", "-7", "0.5", "x'fffe'", "'\"x\"'", "'[\"x\"]'"]

    /// Returns a database with at least one row in each table.
    private static func database() async throws -> Data {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        var entry = Sample.entry()
        entry.watch?.tags = ["tag"]
        entry.watch?.end = WatchEnd(until: Sample.now.wall, elapsed: .seconds(1))
        entry.omissions = [FieldChange(field: "city", old: "Ulm", new: nil)]
        entry.failure = Failure(kind: .timeout, message: "late", at: Sample.now, attempts: 2)
        var added = Sample.event(1)
        added.user = 1_000
        added.name = try HostName("www.example.com")
        let name = SavedName(
            try HostName("www.example.com"),
            WatchedName(
                addresses: [address], tags: ["tag"], note: "note", answeredAt: Sample.now.wall,
                failure: NameFailure(reason: "no answer", since: Sample.now.wall)))
        let writes =
            Sample.writes(address, entry)
            + [.event(added), .event(Sample.change(2, of: address)), .putName(name)]
        try await folder.withStore { (store) async throws in
            try await store.commit(writes)
            try await store.commit([
                .window(
                    SavedWindow(
                        provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 3, resetsAt: Sample.now,
                        length: .seconds(60))),
                .health(
                    SavedHealth(
                        provider: "http://ip-api.com", endpoint: .batch, state: .failing, since: Sample.now.wall,
                        failure: entry.failure,
                        retryAt: Sample.now)),
                .networkLoss(SavedLoss(since: Sample.now.wall, reason: "no route")),
                .outage(
                    Outage(
                        number: 1, since: Sample.now.wall, until: nil, cause: .network, message: "no route", deferred: 3
                    )),
            ])
        }
        return try Data(contentsOf: URL(filePath: folder.database))
    }

    @Test(arguments: [
        "entry", "record", "scan", "place", "network", "notice", "change", "quota_window", "endpoint_health",
        "network_loss", "outage", "boot", "host_name", "host_address",
    ])
    func `the store can be read whatever value a column has`(table: String) async throws {
        let intact = try await Self.database()
        let sample = try TemporaryFolder()
        try intact.write(to: URL(filePath: sample.database))
        let address = try Sample.address(1)
        // A row id is always stored as a number.
        let columns = try SQLite(sample.database).rows(
            "SELECT name FROM pragma_table_info('\(table)') WHERE NOT (pk AND type = 'INTEGER')"
        ).map { $0[0].filter { $0 != "\"" } }
        #expect(!columns.isEmpty)
        #expect(try SQLite(sample.database).count(of: table) > 0, "the table must have rows")
        var reported = 0
        for column in columns {
            for value in Self.values {
                let folder = try TemporaryFolder()
                try intact.write(to: URL(filePath: folder.database))
                try SQLite.withoutChecks(of: table, in: folder.database) {
                    try SQLite(folder.database).run(
                        "PRAGMA foreign_keys = OFF; UPDATE OR IGNORE \(table) SET \"\(column)\" = \(value)")
                }
                try await folder.withStore { (store) async throws in
                    let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
                    reported += unreadable.count
                    #expect(restored.entries.count + unreadable.count { $0.table == "entry" } == 1)
                    // Queries return the rows that can be decoded, and no error.
                    _ = try await store.events(after: 0, limit: 10)
                    _ = try await store.events(of: HostName("www.example.com"), limit: 10)
                    _ = try await store.changes(of: address, before: nil, limit: 10)
                    _ = try await store.changes(ChangeQuery(fields: [.isp], limit: 10))
                    _ = try await store.changes(ChangeQuery(old: "A", new: "", limit: 10))
                    _ = try await store.outages(before: nil, limit: 10)
                    // Commits still succeed, and replace the damaged values.
                    try await store.commit(Sample.writes(address, Sample.entry(note: "new")))
                    #expect(
                        try store.restored().byAddress == [address: Sample.entry(note: "new")], "\(column) = \(value)")
                }
            }
        }
        // Some of them are reported, if the daemon reads the table at the start.
        #expect(reported > 0 || ["notice", "change", "boot"].contains(table))
    }
}
