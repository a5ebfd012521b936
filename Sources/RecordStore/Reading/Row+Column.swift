import GRDB

extension Row {
    /// Returns the value of a column.
    ///
    /// GRDB's subscript traps on NULL and on a value of another type. A damaged page may contain both, because SQLite
    /// checks NOT NULL and the types of a STRICT table only on writes. In a row of a cursor, SQLite converts a value of
    /// another type (sqlite.org/c3ref/column_blob.html); in a copied row, decoding fails.
    ///
    /// - Throws: ``UnreadableColumn``.
    func column<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
        do {
            return try decode(Value.self, atIndex: index)
        } catch {
            throw UnreadableColumn(name: Array(columnNames)[index])
        }
    }

    /// The value of the first column as human-readable text that identifies the row.
    var key: String {
        let value: (any DatabaseValueConvertible)? = self[0]
        return value.map { "\($0)" } ?? "NULL"
    }
}

/// The error for a column with an invalid value, because the database was edited or is damaged.
struct UnreadableColumn: Error, CustomStringConvertible {
    let name: String

    var description: String { "invalid \(name)" }
}
