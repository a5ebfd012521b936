import GRDB
import RecordKeeping

/// Inserts rows from a damaged file into the tables of a new database. The table of a row is found by its columns.
struct Salvage {
    private struct Table {
        let name: String
        let columns: [Column]
        /// The number of columns at the end that migrations have added. Rows that were written before lack them
        /// (sqlite.org/lang_altertable.html).
        let addedColumns: Int
        let insert: Statement
        /// Whether a row whose column types match belongs to the table.
        let accepts: @Sendable ([DamagedFile.Value]) -> Bool
    }

    private struct Column {
        let type: String
        let isRequired: Bool
        /// Whether the column is the row id, which SQLite stores outside the row.
        let isRowID: Bool
    }

    private let tables: [Table]

    init(into database: Database) throws {
        tables = try Self.meanings.map { name, hasRowID, addedColumns, accepts in
            let columns = try Row.fetchAll(
                database, sql: "SELECT type, \"notnull\", pk FROM pragma_table_info(?) ORDER BY cid", arguments: [name]
            ).map { Column(type: $0[0], isRequired: $0[1], isRowID: hasRowID && $0[2] == 1) }
            let places = columns.map { _ in "?" }.joined(separator: ", ")
            // The new database already has the rows of `meta`.
            let sql =
                name == "meta"
                ? "INSERT INTO meta VALUES (\(places)) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)"
                : "INSERT OR IGNORE INTO \(name) VALUES (\(places))"
            let insert = try database.makeStatement(sql: sql)
            return Table(
                name: name, columns: columns, addedColumns: addedColumns, insert: insert, accepts: accepts)
        }
    }

    /// The tables, whether they have row ids, the number of columns that migrations have added, and the check of a row
    /// beyond the types of its columns.
    private static let meanings: [(String, Bool, Int, @Sendable ([DamagedFile.Value]) -> Bool)] = [
        ("entry", false, 1, { isAddress($0[0]) }), ("record", false, 0, { isAddress($0[0]) }),
        ("notice", true, 1, { text($0[2]).flatMap(PublishedEvent.Kind.init) != nil }),
        ("change", false, 0, { isAddress($0[0]) }),
        ("outage", true, 0, { text($0[3]).flatMap(Outage.Cause.init) != nil }),
        ("quota_window", false, 0, { text($0[1]).flatMap(Call.Endpoint.init) != nil }),
        (
            "endpoint_health", false, 0,
            { text($0[1]).flatMap(Call.Endpoint.init) != nil && text($0[2]).flatMap(ProviderState.init) != nil }
        ),
        ("network_loss", true, 0, { $0[0] == .int(1) }), ("boot", true, 0, { _ in true }),
        ("history_mark", true, 0, { _ in true }),
        ("meta", false, 0, { text($0[0]).flatMap(Meta.init) != nil }),
    ]

    private static func text(_ value: DamagedFile.Value) -> String? {
        if case .text(let text) = value { text } else { nil }
    }

    private static func isAddress(_ value: DamagedFile.Value) -> Bool {
        // If the text is not an address, the reason does not matter.
        text(value).flatMap { try? IPAddress($0) } != nil
    }

    /// Inserts a row into the first table that it fits. Rows of indexes and of SQLite's own tables fit no table and are
    /// dropped.
    func keep(_ row: DamagedFile.Row) throws {
        for table in tables {
            guard let values = Self.values(of: row, in: table), table.accepts(values) else { continue }
            do {
                try table.insert.execute(arguments: StatementArguments(values.map(\.databaseValue)))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                // The types match, but the table rejects the values: try the next table.
                continue
            }
            return
        }
    }

    private static func values(of row: DamagedFile.Row, in table: Table) -> [DamagedFile.Value]? {
        let missing = table.columns.count - row.values.count
        guard (0...table.addedColumns).contains(missing), table.columns.contains(where: \.isRowID) == (row.rowID != nil)
        else {
            return nil
        }
        var values = row.values + Array(repeating: .null, count: missing)
        for (place, column) in table.columns.enumerated() {
            if column.isRowID, let id = row.rowID { values[place] = .int(id) }
            switch (values[place], column.type) {
            case (.null, _): if column.isRequired { return nil }
            case (.int, "INTEGER"), (.int, "REAL"), (.real, "REAL"), (.text, "TEXT"): continue
            default: return nil
            }
        }
        return values
    }
}

extension DamagedFile.Value {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null, .blob: .null
        case .int(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }
}
