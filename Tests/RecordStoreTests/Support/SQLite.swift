import GRDB

/// A second connection to a test's database beside the store's, like that of sqlite3(1).
struct SQLite {
    private let queue: DatabaseQueue

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    func run(_ sql: String) throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// Returns the first column of the first row as text; an empty text if there is no row.
    func text(_ sql: String) throws -> String {
        try queue.read { try String.fetchOne($0, sql: sql) ?? "" }
    }

    /// Returns all rows, each column as GRDB describes its value.
    func rows(_ sql: String) throws -> [[String]] {
        try queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row in row.databaseValues.map { "\($0)" } }
        }
    }

    /// Returns the number of rows of a table.
    func count(of table: String) throws -> Int {
        try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    /// Adds a trigger with which a commit of an event of kind `failed` cannot succeed.
    func refuseFailedEvents(by action: String = "ABORT") throws {
        try run(
            """
            CREATE TRIGGER refusal AFTER INSERT ON notice WHEN new.kind = 'failed'
            BEGIN SELECT RAISE(\(action), 'refused by the test'); END
            """)
    }

    /// Lets the body write values that the table does not allow, as a damaged page may hold them, and then restores the
    /// definition of the table (sqlite.org/pragma.html#pragma_writable_schema).
    static func withoutChecks(of table: String, in path: String, _ body: () throws -> Void) throws {
        let which = "WHERE type = 'table' AND name = '\(table)'"
        let connection = try SQLite(path)
        let sql = try connection.text("SELECT sql FROM sqlite_master \(which)")
        try connection.run(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master
              SET sql = replace(replace(replace(sql, ' NOT NULL', ''), ') STRICT, ', ') '), ') STRICT', ')') \(which);
            """)
        try body()
        try SQLite(path).run(
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = '\(sql.replacing("'", with: "''"))' \(which);")
    }

    /// Returns all rows of all tables as text.
    func everything() throws -> [String] {
        try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").flatMap { table in
            let name = table[0].filter { $0 != "\"" }
            return try rows("SELECT * FROM \(name)").map { "\(name): \($0)" }
        }
    }
}
