import GRDB
import GRDBSQLite
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// The rows of a damaged table, except those of the damaged pages, are found.
@Suite(.timeLimit(.minutes(20))) struct ReadableRowsTests {
    private static let count = 20_000

    /// Makes tables with numbers, with addresses and with host names as keys.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try SQLite(folder.database).run(
            """
            CREATE TABLE number (id INTEGER PRIMARY KEY, text TEXT) STRICT;
            CREATE TABLE address (address TEXT, seq INTEGER, text TEXT, PRIMARY KEY (address, seq))
              STRICT, WITHOUT ROWID;
            CREATE TABLE host (name TEXT, seq INTEGER, text TEXT, PRIMARY KEY (name, seq)) STRICT, WITHOUT ROWID;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
              INSERT INTO number SELECT i, hex(randomblob(20)) FROM n;
            INSERT INTO address
              SELECT (id * 7919 % 223 + 1) || '.' || (id * 104729 % 256) || '.' || (id / 256) || '.' || (id % 256),
                id, text FROM number;
            INSERT INTO host
              SELECT char(97 + id * 7919 % 26, 97 + id * 104729 % 26) || id || '.example', id, text
                FROM number;
            """)
        return folder
    }

    /// Returns the numbers of the rows that are found, and whether the table is reported as complete.
    private static func found(
        _ table: String, _ column: String, in folder: TemporaryFolder
    ) throws -> (Set<Int>, Bool) {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
        defer { try? queue.close() }  // Nothing was written.
        return try queue.unsafeRead { database in
            var found: Set<Int> = []
            let isComplete = try ReadableRows(of: table, columns: [column], in: database).forEach {
                found.insert(Int(sqlite3_column_int64($0.sqliteStatement, 1)))
            }
            return (found, isComplete)
        }
    }

    private static let tables = [("number", "id"), ("address", "seq"), ("host", "seq")]

    @Test(arguments: tables) func `an intact table is complete`(table: String, column: String) throws {
        let (rows, isComplete) = try Self.found(table, column, in: Self.folder())
        #expect(rows == Set(1...Self.count) && isComplete)
    }

    @Test(arguments: tables, [1, 3, 20]) func `only the rows of damaged pages are lost`(
        table: (String, String), leaves: Int
    ) throws {
        let folder = try Self.folder()
        var pages = try DatabasePages(folder.database)
        let damaged = try pages.zeroLeaves(leaves, of: table.0)
        let (rows, isComplete) = try Self.found(table.0, table.1, in: folder)
        #expect(!isComplete)
        let rowsPerPage = Self.count / damaged.of + 1
        #expect(rows.count >= Self.count - damaged.zeroed * rowsPerPage * 3 / 2, "\(rows.count), \(damaged)")
    }

    @Test(arguments: tables) func `rows between a damaged first and last page are found`(
        table: String, column: String
    ) throws {
        let folder = try Self.folder()
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(.first, of: table))
        #expect(try pages.zeroLeaf(.last, of: table))
        let (rows, isComplete) = try Self.found(table, column, in: folder)
        #expect(!isComplete && rows.count > Self.count * 9 / 10, "\(rows.count)")
    }
}
