import GRDB

/// A column of a table.
struct TableColumn: Equatable {
    let name: String
    let type: String
    /// The column's position in the primary key, starting at 1; 0 if it is not part of the key.
    let keyPosition: Int

    /// Returns the columns of a table as SQLite read them when it opened the file. GRDB's own methods read the schema
    /// table again, and a page of that table may be damaged.
    ///
    /// - Returns: an empty array if there is no such table.
    static func all(of table: String, in database: Database) throws -> [TableColumn] {
        try Row.fetchAll(database, sql: "SELECT name, type, pk FROM pragma_table_info(?)", arguments: [table]).map {
            TableColumn(name: $0[0], type: $0[1], keyPosition: $0[2])
        }
    }
}
