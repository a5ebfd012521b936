import GRDB
import GRDBSQLite
import Glibc
import RecordKeeping

/// A cursor over all entries with their records that reads columns directly from SQLite's memory
/// (sqlite.org/c3ref/column_blob.html).
///
/// It merges both tables in the order of their ids, which takes half the time of a join.
final class EntryColumns {
    private let entries: Statement
    private let records: Statement
    private let lookup: Statement
    private let entryRows: RowCursor
    private let recordRows: RowCursor
    private let order: Order
    /// Whether `recordRows` is at a row.
    private var hasRecord: Bool
    /// The statement positioned at the record of the current entry; nil if the entry has no record.
    private var record: OpaquePointer?

    /// The order of the ids, as an SQL keyword.
    enum Order: String {
        case forwards = "ASC"
        case backwards = "DESC"
    }

    /// The columns of both tables, in the order of the two queries.
    enum Column: CInt {
        case id, address, watched, byClient, byFile, pinned, tags, note, changedAt, failureKind, failureMessage
        case failureAttempts, failureAt, failureBootTime, failureBoot, omissions, watchedUntil
        case watchedUntilElapsed
        // Columns of `record`.
        case recordID, scan, emptyReason, place, network, lat, lon, zip, reverse, mobile, proxy, hosting
    }

    // In the order of `Column`.
    private static let ofEntry = """
        SELECT id, address, watched, by_client, by_file, pinned, tags, note, changed_at, failure_kind, failure_message,
          failure_attempts, failure_at, failure_boot_ns, failure_boot, omissions, watched_until,
          watched_until_elapsed
        FROM entry
        """
    private static let ofRecord = """
        SELECT id, scan, empty_reason, place, network, lat, lon, zip, reverse, mobile, proxy, hosting FROM record
        """

    init(_ database: Database, _ order: Order) throws {
        entries = try database.makeStatement(sql: "\(Self.ofEntry) ORDER BY id \(order.rawValue)")
        records = try database.makeStatement(sql: "\(Self.ofRecord) ORDER BY id \(order.rawValue)")
        lookup = try database.makeStatement(sql: "\(Self.ofRecord) WHERE id = ?")
        self.order = order
        entryRows = try Row.fetchCursor(entries)
        recordRows = try Row.fetchCursor(records)
        hasRecord = try recordRows.next() != nil
    }

    /// Advances to the next entry and its record.
    ///
    /// - Returns: false after the last entry.
    func next() throws -> Bool {
        guard try entryRows.next() != nil else { return false }
        let id = self.id
        while hasRecord, isBefore(Self.id(of: records), id) { hasRecord = try recordRows.next() != nil }
        if hasRecord, Self.id(of: records) == id {
            record = records.sqliteStatement
        } else {
            record = try lookUp(id)
            // The table has a record that the merge did not reach, so the table's order is damaged: look up all further
            // records.
            if record != nil { hasRecord = false }
        }
        return true
    }

    /// The id of the current entry.
    var id: Int64 { Self.id(of: entries) }

    private static func id(of row: Statement) -> Int64 { sqlite3_column_int64(row.sqliteStatement, 0) }

    private func isBefore(_ id: Int64, _ other: Int64) -> Bool { order == .forwards ? id < other : id > other }

    /// Returns the statement positioned at the record of an entry; nil if there is none. Most entries for which the
    /// merge finds no record indeed have no record. There may be millions of such entries, so the statement is run
    /// directly (sqlite.org/c3ref/step.html).
    private func lookUp(_ id: Int64) throws -> OpaquePointer? {
        let statement = lookup.sqliteStatement
        // sqlite3_reset returns the error of the previous run, which was already thrown.
        sqlite3_reset(statement)
        sqlite3_bind_int64(statement, 1, id)
        return try lookup.step() ? statement : nil
    }

    // MARK: Values

    private static let firstOfRecord = Column.recordID.rawValue

    /// - Returns: the statement that has the column, and the column's index in it; nil if the entry has no record.
    private func row(_ column: Column) -> (statement: OpaquePointer, index: CInt)? {
        guard column.rawValue >= Self.firstOfRecord else { return (entries.sqliteStatement, column.rawValue) }
        return record.map { ($0, column.rawValue - Self.firstOfRecord) }
    }

    func isNull(_ column: Column) -> Bool {
        row(column).map { sqlite3_column_type($0.statement, $0.index) == SQLITE_NULL } ?? true
    }

    /// - Returns: nil for NULL.
    /// - Throws: ``UnreadableColumn`` if `Value` cannot represent the value; SQLite converts values of another type.
    func value<Value: StatementColumnConvertible>(_ column: Column) throws -> Value? {
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
        guard let value else { throw unreadable(column) }
        return value
    }

    /// - Returns: the bytes of the text, valid until the next row; nil for NULL and for other types.
    func text(_ column: Column) -> UnsafeBufferPointer<UInt8>? {
        guard let (statement, index) = row(column), sqlite3_column_type(statement, index) == SQLITE_TEXT else {
            return nil
        }
        return Self.bytes(statement, index)
    }

    /// - Returns: the bytes of the text, valid until the next row; an empty buffer for NULL, and nil for other types.
    func textOrNone(_ column: Column) -> UnsafeBufferPointer<UInt8>? {
        isNull(column) ? UnsafeBufferPointer(start: nil, count: 0) : text(column)
    }

    private func unreadable(_ column: Column) -> UnreadableColumn {
        UnreadableColumn(
            name: row(column).map { String(cString: sqlite3_column_name($0.statement, $0.index)) } ?? "record")
    }

    /// Returns the value of a column as human-readable text that identifies the row.
    func key(_ column: Column) -> String {
        guard !isNull(column), let (statement, index) = row(column) else { return "NULL" }
        return String(sqliteStatement: statement, index: index)
    }

    /// Replaces `key` with a serialization of the tags and the note. Two keys are equal only if both values are equal.
    func labelKey(into key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        for column in [Column.tags, .note] {
            guard let (row, index) = row(column) else { continue }
            key.append(UInt8(truncatingIfNeeded: sqlite3_column_type(row, index)))
            let bytes = Self.bytes(row, index)
            withUnsafeBytes(of: bytes.count) { key += $0 }
            key += bytes
        }
    }

    private static func bytes(_ row: OpaquePointer, _ column: CInt) -> UnsafeBufferPointer<UInt8> {
        // Get the pointer first: sqlite3_column_blob may convert the value, which changes the number of bytes.
        let start = sqlite3_column_blob(row, column)?.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(row, column)))
    }
}
