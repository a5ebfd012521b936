import RecordKeeping
import Testing

@testable import RecordStore

/// That no value in any column ends the program: a page whose bytes have flipped holds texts where numbers belong, and
/// nothing where something has to be. SQLite looks at neither as it reads.
@Suite(.timeLimit(.minutes(20))) struct DamagedColumnTests {
    private static let values = ["NULL", "'a text'", "-7", "0.5", "x'fffe'"]

    /// One row or more in every table.
    private static func fill(_ folder: TemporaryFolder) async throws {
        let address = try Sample.address(1)
        var entry = Sample.entry()
        entry.watch?.tags = ["tag"]
        entry.failure = Failure(kind: .timeout, message: "late", at: Sample.now, attempts: 2)
        try await folder.withStore { (store) async throws in
            try await store.commit([
                .put(address, entry, scanReplaced: true), .notice(Sample.notice(1)),
                .notice(Sample.change(2, of: address)),
                .window(
                    SavedWindow(
                        provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 3, resetsAt: Sample.now,
                        length: .seconds(60))),
                .provider(
                    SavedProvider(
                        endpoint: "http://ip-api.com", state: .failing, since: Sample.now.wall, failure: entry.failure,
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
        "entry", "record", "notice", "change", "quota_window", "provider", "network_loss", "outage", "boot",
    ])
    func `whatever stands in a column, the store is read`(table: String) async throws {
        let folder = try TemporaryFolder()
        try await Self.fill(folder)
        let address = try Sample.address(1)
        // A row's number is stored as nothing but a number.
        let columns = try SQLite(folder.database).rows(
            "SELECT name FROM pragma_table_info('\(table)') WHERE NOT (pk AND type = 'INTEGER')"
        ).map { $0[0].filter { $0 != "\"" } }
        #expect(!columns.isEmpty)
        let rows = try SQLite(folder.database).rows("SELECT * FROM \(table)")
        #expect(!rows.isEmpty, "nothing is shown by an empty table")
        try SQLite.withoutChecks(of: table, in: folder.database) {
            try SQLite(folder.database).run("CREATE TABLE whole AS SELECT * FROM \(table)")
        }
        var told = 0
        for column in columns {
            for value in Self.values {
                try SQLite.withoutChecks(of: table, in: folder.database) {
                    try SQLite(folder.database).run(
                        "PRAGMA foreign_keys = OFF; UPDATE OR IGNORE \(table) SET \"\(column)\" = \(value)")
                }
                try await folder.withStore { (store) async throws in
                    let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
                    told += unreadable.count
                    #expect(restored.entries.count + unreadable.count { $0.table == "entry" } == 1)
                    // What asks for the rows gets those that make sense, and no error.
                    _ = try await store.notices(after: 0, limit: 10)
                    _ = try await store.changes(of: address, before: nil, limit: 10)
                    _ = try await store.outages(before: nil, limit: 10)
                    // It can be written to as before.
                    try await store.commit([.put(address, Sample.entry(note: "new"), scanReplaced: true)])
                }
                try SQLite.withoutChecks(of: table, in: folder.database) {
                    try SQLite(folder.database).run(
                        "PRAGMA foreign_keys = OFF; DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM whole")
                }
            }
        }
        // The journal is told of some of them, where the table is one that the daemon starts with.
        #expect(told > 0 || ["notice", "change", "boot"].contains(table))
    }
}
