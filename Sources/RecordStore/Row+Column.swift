import GRDB

extension Row {
    /// The value of a column.
    ///
    /// GRDB's own subscript ends the program where a column holds nothing or something else, which a damaged page may well do:
    /// SQLite looks at NOT NULL and at the types of a STRICT table only as it writes. In a row that a cursor hands out, what is
    /// of another type is converted (sqlite.org/c3ref/column_blob.html); in a copy of one, it is told.
    ///
    /// - Throws: ``UnreadableColumn``.
    func column<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
        do {
            return try decode(Value.self, atIndex: index)
        } catch {
            throw UnreadableColumn(name: Array(columnNames)[index])
        }
    }

    /// What stands in the first column, for a person to find the row by.
    var key: String {
        let value: (any DatabaseValueConvertible)? = self[0]
        return value.map { "\($0)" } ?? "NULL"
    }
}

/// A column that holds what it never may: somebody has edited the database, or it is damaged.
struct UnreadableColumn: Error, CustomStringConvertible {
    let name: String

    var description: String { "its \(name) cannot be" }
}
