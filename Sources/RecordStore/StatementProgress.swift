import GRDB
import GRDBSQLite

/// Reports the progress of SQLite statements, with sqlite3_progress_handler (sqlite.org/c3ref/progress_handler.html).
///
/// A statement that hangs in a system call reports nothing.
final class StatementProgress {
    private let report: () -> Void

    /// The number of instructions of SQLite's virtual machine between two reports; they take some milliseconds.
    private static let instructions: Int32 = 100_000

    init(_ report: @escaping () -> Void) {
        self.report = report
    }

    /// Runs `work` and reports the progress of the pool's write connection until `work` returns.
    func observe(_ pool: DatabasePool, _ work: () throws -> Void) throws {
        let context = Unmanaged.passUnretained(self).toOpaque()
        pool.writeWithoutTransaction { database in
            sqlite3_progress_handler(
                database.sqliteConnection, Self.instructions,
                { context in
                    // The object lives until `observe` returns, and the handler is removed before that.
                    if let context { Unmanaged<StatementProgress>.fromOpaque(context).takeUnretainedValue().report() }
                    // A non-zero result would interrupt the statement.
                    return 0
                }, context)
        }
        let result = Result { try work() }
        pool.writeWithoutTransaction { sqlite3_progress_handler($0.sqliteConnection, 0, nil, nil) }
        withExtendedLifetime(self) {}
        try result.get()
    }
}
