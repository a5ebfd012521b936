import GRDB

/// A history table. Damage to it must not prevent startup or changes to entries.
enum HistoryTable: String, CaseIterable {
    case notice, change, outage
    case mark = "history_mark"

    /// The columns that define the order of the table.
    var key: [String] {
        switch self {
        case .notice: ["seq"]
        case .change: ["address", "seq"]
        case .outage: ["number"]
        case .mark: ["elapsed"]
        }
    }

    /// Returns the statement that creates the table under another name.
    func definition(name: String) -> String {
        switch self {
        case .notice: Schema.notice(name: name)
        case .change: Schema.change(name: name)
        case .outage: Schema.outage(name: name)
        case .mark: Schema.historyMark(name: name)
        }
    }

    /// The statement that creates the table's index.
    var index: String? {
        switch self {
        case .notice: Schema.nameIndex
        case .outage: Schema.outageIndex
        case .change, .mark: nil
        }
    }

    /// Returns the query of all rows.
    ///
    /// - Parameter order: `ASC` or `DESC`.
    func query(order: String) -> String {
        "SELECT * FROM \(rawValue) ORDER BY \(key.map { "\($0) \(order)" }.joined(separator: ", "))"
    }
}

/// The error thrown if SQLite cannot read or change a history table because the table is damaged.
struct DamagedHistory: Error {
    let table: HistoryTable
    let message: String

    /// Runs statements that read or change a history table.
    ///
    /// - Throws: `DamagedHistory` if the table is damaged; other errors are passed through.
    static func finding<Result>(in table: HistoryTable, body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            throw DamagedHistory(table: table, message: error.message ?? "inconsistent database")
        }
    }
}
