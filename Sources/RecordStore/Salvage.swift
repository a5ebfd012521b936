import GRDB
import RecordKeeping

/// Puts rows that were found in a damaged file into the tables of a new database: each goes where its columns fit.
struct Salvage {
    private struct Table {
        let name: String
        let columns: [Column]
        let insert: Statement
        /// Whether what the row says can be of this table; its columns fit.
        let makesSense: @Sendable ([DamagedFile.Value]) -> Bool
    }

    private struct Column {
        let type: String
        let isRequired: Bool
        /// The row id, which stands beside the row and not in it.
        let isRowID: Bool
    }

    private let tables: [Table]

    init(into database: Database) throws {
        tables = try Self.meanings.map { name, hasRowID, makesSense in
            let columns = try Row.fetchAll(
                database, sql: "SELECT type, \"notnull\", pk FROM pragma_table_info(?) ORDER BY cid", arguments: [name]
            ).map { Column(type: $0[0], isRequired: $0[1], isRowID: hasRowID && $0[2] == 1) }
            let places = columns.map { _ in "?" }.joined(separator: ", ")
            // The new database already has these rows.
            let sql =
                name == "meta"
                ? "INSERT INTO meta VALUES (\(places)) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)"
                : "INSERT OR IGNORE INTO \(name) VALUES (\(places))"
            let insert = try database.makeStatement(sql: sql)
            return Table(name: name, columns: columns, insert: insert, makesSense: makesSense)
        }
    }

    /// The tables, whether they have row ids, and by what their rows are known beyond the types of their columns.
    private static let meanings: [(String, Bool, @Sendable ([DamagedFile.Value]) -> Bool)] = [
        ("entry", false, { isAddress($0[0]) }), ("record", false, { isAddress($0[0]) }),
        ("notice", true, { text($0[2]).flatMap(Notice.Kind.init) != nil }), ("change", false, { isAddress($0[0]) }),
        ("outage", true, { text($0[3]).flatMap(Outage.Cause.init) != nil }),
        ("quota_window", false, { text($0[1]).flatMap(Call.Endpoint.init) != nil }),
        ("provider", false, { text($0[1]).flatMap(ProviderState.init) != nil }),
        ("network_loss", true, { $0[0] == .int(1) }), ("boot", true, { _ in true }),
        ("history_mark", true, { _ in true }),
        ("meta", false, { text($0[0]).flatMap(Meta.init) != nil }),
    ]

    private static func text(_ value: DamagedFile.Value) -> String? {
        if case .text(let text) = value { text } else { nil }
    }

    private static func isAddress(_ value: DamagedFile.Value) -> Bool {
        // What is wrong with a text that is none does not matter.
        text(value).flatMap { try? IPAddress($0) } != nil
    }

    /// Puts a row where it belongs, if it belongs to any of the tables: an index and what SQLite keeps for itself do not.
    func keep(_ row: DamagedFile.Row) throws {
        for table in tables {
            guard let values = Self.values(of: row, in: table), table.makesSense(values) else { continue }
            do {
                try table.insert.execute(arguments: StatementArguments(values.map(\.databaseValue)))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                // Its types fit, and yet the table does not take it: it is not what it seems.
                continue
            }
            return
        }
    }

    private static func values(of row: DamagedFile.Row, in table: Table) -> [DamagedFile.Value]? {
        guard row.values.count == table.columns.count, table.columns.contains(where: \.isRowID) == (row.rowID != nil)
        else {
            return nil
        }
        var values = row.values
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
