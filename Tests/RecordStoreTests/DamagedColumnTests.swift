import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// No value in any column crashes the program. A damaged page may hold texts in columns of numbers, and NULL in
/// required columns, because SQLite checks neither when it reads.
@Suite(.timeLimit(.minutes(20))) struct DamagedColumnTests {
    private static let values = ["NULL", "'a text'", "-7", "0.5", "x'fffe'"]

    /// Writes at least one row to each table.
    private static func fill(_ folder: TemporaryFolder) async throws {
        let address = try Sample.address(1)
        var entry = Sample.entry()
        entry.watch?.tags = ["tag"]
        entry.omissions = [FieldChange(field: "city", old: "Ulm", new: nil)]
        entry.failure = Failure(kind: .timeout, message: "late", at: Sample.now, attempts: 2)
        var added = Sample.event(1)
        added.user = 1_000
        try await folder.withStore { (store) async throws in
            try await store.commit([
                .put(address, entry, scanReplaced: true), .event(added),
                .event(Sample.change(2, of: address)),
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
    }

    @Test(arguments: [
        "entry", "record", "notice", "change", "quota_window", "endpoint_health", "network_loss", "outage", "boot",
    ])
    func `the store can be read whatever value a column has`(table: String) async throws {
        let folder = try TemporaryFolder()
        try await Self.fill(folder)
        let address = try Sample.address(1)
        // A row id is always stored as a number.
        let columns = try SQLite(folder.database).rows(
            "SELECT name FROM pragma_table_info('\(table)') WHERE NOT (pk AND type = 'INTEGER')"
        ).map { $0[0].filter { $0 != "\"" } }
        #expect(!columns.isEmpty)
        let rows = try SQLite(folder.database).rows("SELECT * FROM \(table)")
        #expect(!rows.isEmpty, "the table must have rows")
        try SQLite.withoutChecks(of: table, in: folder.database) {
            try SQLite(folder.database).run("CREATE TABLE whole AS SELECT * FROM \(table)")
        }
        var reported = 0
        for column in columns {
            for value in Self.values {
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
                    _ = try await store.changes(of: address, before: nil, limit: 10)
                    _ = try await store.outages(before: nil, limit: 10)
                    // Commits still succeed.
                    try await store.commit([.put(address, Sample.entry(note: "new"), scanReplaced: true)])
                }
                try SQLite.withoutChecks(of: table, in: folder.database) {
                    try SQLite(folder.database).run(
                        "PRAGMA foreign_keys = OFF; DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM whole")
                }
            }
        }
        // Some of them are reported, if the daemon reads the table at the start.
        #expect(reported > 0 || ["notice", "change", "boot"].contains(table))
    }
}
