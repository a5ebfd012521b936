import GRDB
import GRDBSQLite

/// Writes a row: binds a value to each parameter of a statement, in order, and then runs the statement.
///
/// GRDB's `StatementArguments` converts and checks every value in generic code, which took more instructions per
/// refresh than SQLite itself.
///
///     var row = RowWriter(statement)
///     try row.bind(address.description)
///     try row.bind(entry.watch?.note)
///     try row.write()
struct RowWriter {
    private let statement: Statement
    /// The number of bound values.
    private var count: CInt = 0

    init(_ statement: Statement) {
        self.statement = statement
        // sqlite3_reset returns the error of the previous run, which was already thrown.
        sqlite3_reset(statement.sqliteStatement)
    }

    /// Binds the next value; nil becomes NULL.
    ///
    /// - Throws: the error of SQLite, for example if the statement has no further parameter.
    mutating func bind<Value: StatementBinding>(_ value: Value?) throws {
        count += 1
        let status =
            if let value {
                value.bind(to: statement.sqliteStatement, at: count)
            } else {
                sqlite3_bind_null(statement.sqliteStatement, count)
            }
        guard status == SQLITE_OK else { throw statement.failure(status) }
    }

    /// Runs the statement. Called once, after a value was bound to each parameter: a parameter without one would keep
    /// the value of the previous row.
    func write() throws {
        precondition(count == sqlite3_bind_parameter_count(statement.sqliteStatement), "each parameter has a value")
        while try statement.step() {}
        sqlite3_reset(statement.sqliteStatement)
    }
}
