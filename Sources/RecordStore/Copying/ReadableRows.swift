import GRDB
import GRDBSQLite

/// The rows of a table that SQLite can still read, although pages of the table are damaged.
///
/// SQLite reads a table in the order of its keys, and stops at a damaged page. The rows after that page can be read
/// backwards from the end, or forwards from a later key. Such keys are found by dividing the range of keys repeatedly.
struct ReadableRows {
    private let database: Database
    private let table: String
    /// The columns of the primary key, or the first column.
    private let keys: [TableColumn]
    private var key: String { keys[0].name }
    private let columns: [String]
    private let condition: String

    /// The maximum number of ranges that are read.
    private static let maxRanges = 5_000
    /// The maximum number of consecutive divisions that find no other readable row; then the range is abandoned. It
    /// limits the ranges that are read in one damaged page to a few hundred: ranges are divided in two, and those of
    /// addresses by the next character.
    private static func maxFruitlessDivisions(_ kind: KeyRange.Kind) -> Int { kind == .address ? 2 : 8 }

    private enum End: Equatable {
        case ofRange
        /// A damaged page, after the row with this key; nil if no row was read.
        case damage(after: RowKey?)
    }

    /// - Parameters:
    ///   - database: a connection that only reads: once a transaction that writes has met a damaged page, SQLite
    ///     refuses all of its other writes.
    ///   - condition: an SQL expression that selects the rows.
    /// - Throws: the error of SQLite if it cannot read the schema.
    init(of table: String, columns: [String]? = nil, where condition: String = "TRUE", in database: Database) throws {
        self.database = database
        self.table = table
        self.condition = condition
        let all = try TableColumn.all(of: table, in: database)
        guard let first = all.first else {
            throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: \(table)")
        }
        self.columns = columns ?? all.map(\.name)
        let keys = all.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
        self.keys = keys.isEmpty ? [first] : keys
    }

    /// Calls `body` for each readable row, with the statement that is positioned at that row. Column 0 is the key; the
    /// requested columns follow. Rows near damaged pages may be passed more than once.
    ///
    /// - Returns: whether all rows were read.
    func forEach(_ body: (Statement) throws -> Void) throws -> Bool {
        var ranges = [(range: KeyRange(), fruitlessDivisions: 0)]
        var (next, isComplete) = (0, true)
        while next < min(ranges.count, Self.maxRanges) {
            let (range, divisions) = ranges[next]
            next += 1
            guard case .damage(let first) = try read(range, isAscending: true, body) else { continue }
            var rest = KeyRange(first: first ?? range.first, last: range.last)
            guard case .damage(let last) = try read(rest, isAscending: false, body) else { continue }
            isComplete = false
            rest.last = last ?? rest.last
            // The rows at the bounds have been read before.
            let isFruitless = [nil, range.first].contains(first) && [nil, range.last].contains(last)
            let fruitlessDivisions = isFruitless ? divisions + 1 : 0
            let kind = kind(of: rest)
            guard fruitlessDivisions <= Self.maxFruitlessDivisions(kind) else { continue }
            ranges += rest.parts(of: kind).map { ($0, fruitlessDivisions) }
        }
        return isComplete
    }

    private func kind(of range: KeyRange) -> KeyRange.Kind {
        let isText =
            switch range.first ?? range.last {
            case .text: true
            case .number: false
            case nil: keys[0].type == "TEXT"
            }
        return isText ? key == "address" ? .address : .text : .number
    }

    private func read(_ range: KeyRange, isAscending: Bool, _ body: (Statement) throws -> Void) throws -> End {
        let statement = try query(from: isAscending ? range.first : range.last, isAscending: isAscending)
        let end = isAscending ? range.last : range.first
        func isBefore(_ key: RowKey, _ other: RowKey) -> Bool { isAscending ? key < other : other < key }
        // The last two keys. A row whose key is out of order is damaged, or the one before it is.
        var (last, beforeLast): (RowKey?, RowKey?)
        var rowsPastEnd = 0
        while true {
            do {
                guard try statement.step() else { return .ofRange }
            } catch let error as DatabaseError where Self.isDamage(error) {
                return .damage(after: last)
            }
            let key = Self.key(of: statement)
            if let key, let last, isBefore(key, last) { return .damage(after: beforeLast) }
            if let key, let end, isBefore(end, key) {
                rowsPastEnd += 1
                // If only one key is past the end, that key may be damaged.
                if rowsPastEnd == 2 { return .ofRange }
            }
            try body(statement)
            if let key, key != last { (last, beforeLast) = (key, last) }
        }
    }

    private func query(from first: RowKey?, isAscending: Bool) throws -> Statement {
        let order = keys.map { "\(quoted($0.name)) \(isAscending ? "ASC" : "DESC")" }
        let bound = first == nil ? "" : "AND \(quoted(key)) \(isAscending ? ">=" : "<=") ?"
        let statement = try database.makeStatement(
            sql: """
                SELECT \(([key] + columns).map(quoted).joined(separator: ", ")) FROM \(quoted(table)) NOT INDEXED
                WHERE \(condition) \(bound) ORDER BY \(order.joined(separator: ", "))
                """)
        switch first {
        case .number(let number): try statement.setArguments([number])
        case .text(let text): try statement.setArguments([text])
        case nil: break
        }
        return statement
    }

    /// Whether a read error of SQLite means that the file is damaged, or that the disk cannot read it
    /// (sqlite.org/rescode.html).
    static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_TOOBIG].contains(error.resultCode)
            || [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_DATA, .SQLITE_IOERR_CORRUPTFS].contains(
                error.extendedResultCode)
    }

    private static func key(of statement: Statement) -> RowKey? {
        let row = statement.sqliteStatement
        switch sqlite3_column_type(row, 0) {
        case SQLITE_INTEGER: return .number(sqlite3_column_int64(row, 0))
        case SQLITE_TEXT: return sqlite3_column_text(row, 0).map { .text(String(cString: $0)) }
        default: return nil
        }
    }

    private func quoted(_ name: String) -> String { "\"\(name)\"" }
}
