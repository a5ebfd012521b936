import GRDB
import Glibc

extension DatabaseQueue {
    /// The name of the attached database in SQL.
    static let attached = "backup"

    /// Opens a connection to an empty database in memory, to which files can be attached one at a time.
    ///
    /// If each file had a connection of its own, the dispatch queue of that connection would be released on a
    /// concurrent queue. After the first use of such a queue, a Dispatch thread wakes up every second (see
    /// `Store.probe`).
    static func forAttaching() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "iprecord.store.backup"
        configuration.foreignKeysEnabled = false
        return try DatabaseQueue(configuration: configuration)
    }

    /// Attaches an existing database file, so that a table name without a prefix stands for a table of this file.
    ///
    /// - Parameter progress: follows the statements of `body`.
    /// - Throws: the error of `body` or of SQLite.
    func attaching<Value>(
        _ path: String, _ progress: StatementProgress, _ body: (Database) throws -> Value
    ) throws -> Value {
        // ATTACH would create a missing file.
        guard access(path, F_OK) == 0 else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
        return try writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH ? AS \(Self.attached)", arguments: [path])
            let result = Result { try progress.observe(database) { try body(database) } }
            database.clearSchemaCache()
            let detached = Result { try database.execute(sql: "DETACH \(Self.attached)") }
            let value = try result.get()
            try detached.get()
            return value
        }
    }
}
