import GRDB

/// A second connection to a test's database, beside the store's: what sqlite3(1) would be.
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

    func rows(_ sql: String) throws -> [[String]] {
        try queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row in row.databaseValues.map { "\($0)" } }
        }
    }

    /// Every row of every table, as text.
    func everything() throws -> [String] {
        try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").flatMap { table in
            let name = table[0].filter { $0 != "\"" }
            return try rows("SELECT * FROM \(name)").map { "\(name): \($0)" }
        }
    }
}
