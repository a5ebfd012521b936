import GRDB
import GRDBSQLite

/// Copies the rows of a table into the table of the same name in another database.
struct TableCopy {
    /// The treatment of a row whose key the target table already has.
    enum Conflict: String {
        /// The copied row replaces the existing one.
        case replace = "REPLACE"
        /// The existing row stays.
        case ignore = "IGNORE"
    }

    /// The result of a copy.
    struct Outcome: Equatable {
        /// Whether all rows could be read and copied, and the pages of the table and its indexes agree.
        var isComplete = true
        /// The number of rows that the target table rejected, because a column has an invalid value.
        var rejected = 0
    }

    let table: String
    var condition = "TRUE"
    var conflict = Conflict.replace
    /// Columns that are not copied; the target table gives them their default values.
    var omitted: Set<String> = []

    /// Copies the columns that both tables have. If the tables have the same number of columns, their names are not
    /// compared, because they may be damaged.
    func run(from source: Database, to target: Database) throws -> Outcome {
        let stored = try TableColumn.all(of: table, in: source).map(\.name).filter { !omitted.contains($0) }
        var columns = try TableColumn.all(of: table, in: target).map(\.name).filter { !omitted.contains($0) }
        if stored.count != columns.count { columns = columns.filter(Set(stored).contains) }
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try target.makeStatement(
            sql: "INSERT OR \(conflict.rawValue) INTO \"\(table)\" (\(names)) VALUES (\(marks))")
        var outcome = Outcome()
        outcome.isComplete = try ReadableRows(
            of: table, columns: stored.count == columns.count ? stored : columns, where: condition, in: source
        ).forEach { row in
            for index in 0..<CInt(columns.count) {
                let value = sqlite3_column_value(row.sqliteStatement, index + 1)
                let status = sqlite3_bind_value(insert.sqliteStatement, index + 1, value)
                guard status == SQLITE_OK else { throw insert.failure(status) }
            }
            defer { sqlite3_reset(insert.sqliteStatement) }
            do {
                while try insert.step() {}
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                outcome.rejected += 1
            }
        }
        if outcome.rejected > 0 { outcome.isComplete = false }
        if outcome.isComplete { outcome.isComplete = try isConsistent(in: source) }
        return outcome
    }

    /// Whether `integrity_check` finds no error in the table. If the cell count of an interior page is damaged, SQLite
    /// returns fewer rows without an error.
    private func isConsistent(in source: Database) throws -> Bool {
        do {
            return try String.fetchOne(source, sql: "PRAGMA integrity_check(\"\(table)\")") == "ok"
        } catch let error as DatabaseError where ReadableRows.isDamage(error) {
            return false
        }
    }
}
