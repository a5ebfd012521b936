import GRDB
import GRDBSQLite
import Glibc

/// The columns of an entry and of its record, where SQLite has them (sqlite.org/c3ref/column_blob.html).
///
/// Both tables are walked through side by side in the order of their addresses, which takes half the time of a join.
final class EntryColumns {
    private let entries: Statement
    private let records: Statement
    private let lookup: Statement
    private let entryRows: RowCursor
    private let recordRows: RowCursor
    /// Negative where the addresses go down.
    private let direction: Int32
    /// The walk has come to a record, and not to its end.
    private var hasRecord: Bool
    /// That which has the record of the present entry; nil where it has none.
    private var record: OpaquePointer?

    enum Order: String {
        case forwards = "ASC"
        case backwards = "DESC"
    }

    enum Column: CInt {
        case address, watched, byClient, byFile, pinned, tags, note, changedAt, failureKind, failureMessage
        case failureAttempts, failureAt, failureBootTime, failureBoot
        // Here the record begins.
        case recordAddress, provider, scannedAt, scannedBootTime, scannedBoot, emptyReason
        // What a place is made of.
        case continent, continentCode, country, countryCode, region, regionName, city, district, zip
        case timezone, offset, currency
        // What a network is made of.
        case isp, org, `as`, asname
        case lat, lon, reverse, mobile, proxy, hosting
    }

    // In the order of `Column`.
    private static let ofEntry = """
        SELECT address, watched, by_client, by_file, pinned, tags, note, changed_at, failure_kind, failure_message,
          failure_attempts, failure_at, failure_boot_ns, failure_boot
        FROM entry
        """
    private static let ofRecord = """
        SELECT address, provider, scanned_at, scanned_boot_ns, scanned_boot, empty_reason,
          continent, continent_code, country, country_code, region, region_name, city, district, zip,
          timezone, utc_offset, currency, isp, org, as_text, asname, lat, lon, reverse, mobile, proxy, hosting
        FROM record
        """

    init(_ database: Database, _ order: Order) throws {
        entries = try database.makeStatement(sql: "\(Self.ofEntry) ORDER BY address \(order.rawValue)")
        records = try database.makeStatement(sql: "\(Self.ofRecord) ORDER BY address \(order.rawValue)")
        lookup = try database.makeStatement(sql: "\(Self.ofRecord) WHERE address = ?")
        direction = order == .forwards ? 1 : -1
        entryRows = try Row.fetchCursor(entries)
        recordRows = try Row.fetchCursor(records)
        hasRecord = try recordRows.next() != nil
    }

    /// Goes on to the next entry.
    ///
    /// - Returns: false where there is none.
    func next() throws -> Bool {
        guard try entryRows.next() != nil else { return false }
        while hasRecord, difference(records.sqliteStatement) * direction < 0 {
            hasRecord = try recordRows.next() != nil
        }
        if hasRecord, difference(records.sqliteStatement) == 0 {
            record = records.sqliteStatement
        } else {
            record = try lookUp()
            // The record is there, and was not come to: one is out of place, and the walk is not to be trusted any more.
            if record != nil { hasRecord = false }
        }
        return true
    }

    /// Most entries that have no record at the walk's place have none at all. There may be millions of them, so the statement is
    /// run as it is (sqlite.org/c3ref/step.html).
    private func lookUp() throws -> OpaquePointer? {
        let statement = lookup.sqliteStatement
        // What it says is what the run before has ended with.
        sqlite3_reset(statement)
        sqlite3_bind_value(statement, 1, sqlite3_column_value(entries.sqliteStatement, 0))
        let status = sqlite3_step(statement)
        switch status {
        case SQLITE_ROW: return statement
        case SQLITE_DONE: return nil
        default:
            throw DatabaseError(
                resultCode: ResultCode(rawValue: status),
                message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement))),
                sql: lookup.sql)
        }
    }

    /// - Returns: below zero where the row's address comes before that of the present entry, as SQLite orders texts.
    private func difference(_ row: OpaquePointer) -> Int32 {
        let (mine, its) = (Self.bytes(entries.sqliteStatement, 0), Self.bytes(row, 0))
        let count = min(mine.count, its.count)
        var order: Int32 = 0
        if let its = its.baseAddress, let mine = mine.baseAddress {
            order = memcmp(its, mine, count)
        }
        return order != 0 ? order : Int32(clamping: its.count - mine.count)
    }

    // MARK: Values

    private static let firstOfRecord = Column.recordAddress.rawValue

    /// - Returns: the statement at whose row a column stands; nil where the entry has no record.
    private func row(_ column: CInt) -> (statement: OpaquePointer, index: CInt)? {
        guard column >= Self.firstOfRecord else { return (entries.sqliteStatement, column) }
        return record.map { ($0, column - Self.firstOfRecord) }
    }

    func isNull(_ column: Column) -> Bool {
        row(column.rawValue).map { sqlite3_column_type($0.statement, $0.index) == SQLITE_NULL } ?? true
    }

    /// - Returns: nil for NULL.
    /// - Throws: ``UnreadableColumn`` where it holds what cannot be; what is of another type is converted by SQLite.
    func value<Value: StatementColumnConvertible>(_ column: Column) throws -> Value? {
        guard let (statement, index) = row(column.rawValue), sqlite3_column_type(statement, index) != SQLITE_NULL else {
            return nil
        }
        let value = Value(sqliteStatement: statement, index: index)
        guard let value else { throw unreadable(column) }
        return value
    }

    /// - Throws: ``UnreadableColumn`` where it holds what cannot be, or nothing.
    func required<Value: StatementColumnConvertible>(_ column: Column) throws -> Value {
        let value: Value? = try value(column)
        guard let value else { throw unreadable(column) }
        return value
    }

    /// - Returns: nil for NULL, and for what is no text. Valid until the next row.
    func text(_ column: Column) -> UnsafeBufferPointer<UInt8>? {
        guard let (statement, index) = row(column.rawValue), sqlite3_column_type(statement, index) == SQLITE_TEXT else {
            return nil
        }
        return Self.bytes(statement, index)
    }

    private func unreadable(_ column: Column) -> UnreadableColumn {
        UnreadableColumn(
            name: row(column.rawValue).map { String(cString: sqlite3_column_name($0.statement, $0.index)) } ?? "record")
    }

    /// For a person to find the row by.
    func key(_ column: Column) -> String {
        guard !isNull(column), let (statement, index) = row(column.rawValue) else { return "NULL" }
        return String(sqliteStatement: statement, index: index)
    }

    /// Puts down what stands in some columns of one table, so that only what is the same has the same bytes.
    func key(from first: Column, to last: Column, into key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        guard let (row, index) = row(first.rawValue) else { return }
        for column in index...index + last.rawValue - first.rawValue {
            let type = sqlite3_column_type(row, column)
            key.append(UInt8(truncatingIfNeeded: type))
            if type == SQLITE_INTEGER {
                Self.append(sqlite3_column_int64(row, column), to: &key)
            } else if type != SQLITE_NULL {
                let bytes = Self.bytes(row, column)
                Self.append(Int64(bytes.count), to: &key)
                key += bytes
            }
        }
    }

    private static func bytes(_ row: OpaquePointer, _ column: CInt) -> UnsafeBufferPointer<UInt8> {
        // The bytes first: how many there are may change with the type.
        let start = sqlite3_column_blob(row, column)?.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(row, column)))
    }

    /// Seven bits a byte, of which all but the last have the eighth: most numbers here are small.
    private static func append(_ number: Int64, to key: inout [UInt8]) {
        var rest = UInt64(bitPattern: number)
        while rest > 0x7F {
            key.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        key.append(UInt8(rest))
    }
}
