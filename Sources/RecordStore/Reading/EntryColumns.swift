import GRDB
import GRDBSQLite
import Glibc
import RecordKeeping

/// A cursor over all entries with their records that reads columns directly from SQLite's memory
/// (sqlite.org/c3ref/column_blob.html).
///
/// It merges both tables in the order of their addresses, which takes half the time of a join.
final class EntryColumns {
    private let entries: Statement
    private let records: Statement
    private let lookup: Statement
    private let entryRows: RowCursor
    private let recordRows: RowCursor
    /// 1 if addresses ascend, -1 if they descend.
    private let direction: Int32
    /// Whether `recordRows` is at a row.
    private var hasRecord: Bool
    /// The statement positioned at the record of the current entry; nil if the entry has no record.
    private var record: OpaquePointer?

    /// The order of the addresses, as an SQL keyword.
    enum Order: String {
        case forwards = "ASC"
        case backwards = "DESC"
    }

    /// The columns of both tables, in the order of the two queries.
    enum Column: CInt {
        case address, watched, byClient, byFile, pinned, tags, note, changedAt, failureKind, failureMessage
        case failureAttempts, failureAt, failureBootTime, failureBoot, omissions
        // Columns of `record`.
        case recordAddress, provider, scannedAt, scannedBootTime, scannedBoot, emptyReason
        // The fields of `ownFields`. They are read by name, because each record has its own values for them. The
        // columns of the place and of the network follow.
        case lat, lon, reverse, mobile, proxy, hosting
    }

    // In the order of `Column`.
    private static let ofEntry = """
        SELECT address, watched, by_client, by_file, pinned, tags, note, changed_at, failure_kind, failure_message,
          failure_attempts, failure_at, failure_boot_ns, failure_boot, omissions
        FROM entry
        """
    private static let ofRecord = """
        SELECT address, provider, scanned_at, scanned_boot_ns, scanned_boot, empty_reason,
          \((ownFields + placeFields + networkFields).map(\.column).joined(separator: ", "))
        FROM record
        """
    private static let ownFields: [RecordKeeping.Record.Field] = [.lat, .lon, .reverse, .mobile, .proxy, .hosting]
    static let placeFields = RecordKeeping.Record.Field.ofPlace
    static let networkFields = RecordKeeping.Record.Field.ofNetwork.filter { $0 != .asn }

    /// The columns of `placeFields`.
    static let placeColumns = columns(after: Column.hosting.rawValue, placeFields.count)
    /// The columns of `networkFields`.
    static let networkColumns = columns(after: placeColumns.upperBound, networkFields.count)

    private static func columns(after last: CInt, _ count: Int) -> ClosedRange<CInt> {
        last + 1...last + CInt(count)
    }

    init(_ database: Database, _ order: Order) throws {
        entries = try database.makeStatement(sql: "\(Self.ofEntry) ORDER BY address \(order.rawValue)")
        records = try database.makeStatement(sql: "\(Self.ofRecord) ORDER BY address \(order.rawValue)")
        lookup = try database.makeStatement(sql: "\(Self.ofRecord) WHERE address = ?")
        direction = order == .forwards ? 1 : -1
        entryRows = try Row.fetchCursor(entries)
        recordRows = try Row.fetchCursor(records)
        hasRecord = try recordRows.next() != nil
    }

    /// Advances to the next entry and its record.
    ///
    /// - Returns: false after the last entry.
    func next() throws -> Bool {
        guard try entryRows.next() != nil else { return false }
        while hasRecord, difference(records.sqliteStatement) * direction < 0 {
            hasRecord = try recordRows.next() != nil
        }
        if hasRecord, difference(records.sqliteStatement) == 0 {
            record = records.sqliteStatement
        } else {
            record = try lookUp()
            // The table has a record that the merge did not reach, so the table's order is damaged: look up all further
            // records.
            if record != nil { hasRecord = false }
        }
        return true
    }

    /// Returns the statement positioned at the record of the current entry; nil if there is none. Most entries for
    /// which the merge finds no record indeed have no record. There may be millions of such entries, so the statement
    /// is run directly (sqlite.org/c3ref/step.html).
    private func lookUp() throws -> OpaquePointer? {
        let statement = lookup.sqliteStatement
        // sqlite3_reset returns the error of the previous run, which was already thrown.
        sqlite3_reset(statement)
        sqlite3_bind_value(statement, 1, sqlite3_column_value(entries.sqliteStatement, 0))
        return try lookup.step() ? statement : nil
    }

    /// Compares the address of a row with that of the current entry, in SQLite's order of strings.
    ///
    /// - Returns: a negative number if the row's address sorts first, 0 if both are equal.
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

    /// - Returns: the statement that has the column, and the column's index in it; nil if the entry has no record.
    private func row(_ column: CInt) -> (statement: OpaquePointer, index: CInt)? {
        guard column >= Self.firstOfRecord else { return (entries.sqliteStatement, column) }
        return record.map { ($0, column - Self.firstOfRecord) }
    }

    func isNull(_ column: Column) -> Bool {
        row(column.rawValue).map { sqlite3_column_type($0.statement, $0.index) == SQLITE_NULL } ?? true
    }

    /// - Returns: nil for NULL.
    /// - Throws: ``UnreadableColumn`` if `Value` cannot represent the value; SQLite converts values of another type.
    func value<Value: StatementColumnConvertible>(_ column: Column) throws -> Value? {
        try value(at: column.rawValue)
    }

    /// - Parameter column: the raw value of a `Column`, or a column of `placeColumns` or `networkColumns`.
    func value<Value: StatementColumnConvertible>(at column: CInt) throws -> Value? {
        guard let (statement, index) = row(column), sqlite3_column_type(statement, index) != SQLITE_NULL else {
            return nil
        }
        let value = Value(sqliteStatement: statement, index: index)
        guard let value else { throw unreadable(column) }
        return value
    }

    /// - Throws: ``UnreadableColumn`` if the value is NULL or `Value` cannot represent it.
    func required<Value: StatementColumnConvertible>(_ column: Column) throws -> Value {
        let value: Value? = try value(column)
        guard let value else { throw unreadable(column.rawValue) }
        return value
    }

    /// - Returns: the bytes of the text, valid until the next row; nil for NULL and for other types.
    func text(_ column: Column) -> UnsafeBufferPointer<UInt8>? {
        guard let (statement, index) = row(column.rawValue), sqlite3_column_type(statement, index) == SQLITE_TEXT else {
            return nil
        }
        return Self.bytes(statement, index)
    }

    private func unreadable(_ column: CInt) -> UnreadableColumn {
        UnreadableColumn(
            name: row(column).map { String(cString: sqlite3_column_name($0.statement, $0.index)) } ?? "record")
    }

    /// Returns the value of a column as human-readable text that identifies the row.
    func key(_ column: Column) -> String {
        guard !isNull(column), let (statement, index) = row(column.rawValue) else { return "NULL" }
        return String(sqliteStatement: statement, index: index)
    }

    /// Replaces `key` with a serialization of a range of columns of one table. Two keys are equal only if all values
    /// are equal.
    func key(of columns: ClosedRange<CInt>, into key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        guard let (row, index) = row(columns.lowerBound) else { return }
        for column in index...index + columns.upperBound - columns.lowerBound {
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
        // Get the pointer first: sqlite3_column_blob may convert the value, which changes the number of bytes.
        let start = sqlite3_column_blob(row, column)?.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(row, column)))
    }

    /// Appends the number in LEB128: seven bits a byte, the lowest first. Most numbers here are small.
    private static func append(_ number: Int64, to key: inout [UInt8]) {
        var rest = UInt64(bitPattern: number)
        while rest > 0x7F {
            key.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        key.append(UInt8(rest))
    }
}
