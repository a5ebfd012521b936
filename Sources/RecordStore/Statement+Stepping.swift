import GRDB
import GRDBSQLite

extension Statement {
    /// Runs the statement up to its next row, without GRDB's support for observers (sqlite.org/c3ref/step.html).
    ///
    /// - Returns: false if there are no more rows.
    func step() throws -> Bool {
        let status = sqlite3_step(sqliteStatement)
        switch status {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure(status)
        }
    }

    /// Returns the error of the last call of SQLite, which returned `status`.
    func failure(_ status: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: status),
            message: String(cString: sqlite3_errmsg(sqlite3_db_handle(sqliteStatement))), sql: sql)
    }
}
