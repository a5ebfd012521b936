import GRDB
import GRDBSQLite

/// Follows the progress of SQLite statements, with sqlite3_progress_handler (sqlite.org/c3ref/progress_handler.html).
///
/// A statement that hangs in a system call makes no progress.
final class StatementProgress {
    private let check: () throws -> Void
    /// The error that interrupted a statement.
    private var failure: (any Error)?

    /// The number of instructions of SQLite's virtual machine between two checks; they take some milliseconds.
    private static let instructions: Int32 = 100_000

    /// - Parameter check: called repeatedly while statements run; its error interrupts them.
    init(_ check: @escaping () throws -> Void) {
        self.check = check
    }

    /// Throws the error of the check.
    func checkNow() throws { try check() }

    /// Runs `work` and follows the pool's write connection until `work` returns.
    func observe(_ pool: DatabasePool, _ work: () throws -> Void) throws {
        pool.writeWithoutTransaction(install)
        let result = Result { try work() }
        pool.writeWithoutTransaction(remove)
        try value(of: result)
    }

    /// Runs `work` and follows this connection until `work` returns.
    func observe<Value>(_ database: Database, _ work: () throws -> Value) throws -> Value {
        install(database)
        let result = Result { try work() }
        remove(database)
        return try value(of: result)
    }

    private func install(_ database: Database) {
        sqlite3_progress_handler(
            database.sqliteConnection, Self.instructions,
            { context in
                // The object lives until `observe` returns, and the handler is removed before that.
                guard let context else { return 0 }
                let progress = Unmanaged<StatementProgress>.fromOpaque(context).takeUnretainedValue()
                do {
                    try progress.check()
                    return 0
                } catch {
                    progress.failure = error
                    return 1
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func remove(_ database: Database) {
        sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
        withExtendedLifetime(self) {}
    }

    /// Returns the value, or throws the error of the check instead of SQLITE_INTERRUPT.
    private func value<Value>(of result: Result<Value, any Error>) throws -> Value {
        if let failure { throw failure }
        return try result.get()
    }
}
