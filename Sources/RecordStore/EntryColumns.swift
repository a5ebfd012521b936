import GRDB
import GRDBSQLite

/// The columns of the row that a statement stands at, where SQLite has them (sqlite.org/c3ref/column_blob.html).
struct EntryColumns {
    private let statement: Statement

    /// In the order of `Column`.
    static let select = """
        SELECT entry.address, watched, by_client, by_file, pinned, tags, note, changed_at, failure_kind, failure_message,
          failure_attempts, failure_at, failure_boot_ns, failure_boot, provider, scanned_at, scanned_boot_ns, scanned_boot,
          empty_reason, continent, continent_code, country, country_code, region, region_name, city, district, zip,
          timezone, utc_offset, currency, isp, org, as_text, asname, lat, lon, reverse, mobile, proxy, hosting
        FROM entry LEFT JOIN record USING (address)
        """

    enum Column: CInt {
        case address, watched, byClient, byFile, pinned, tags, note, changedAt, failureKind, failureMessage
        case failureAttempts, failureAt, failureBootTime, failureBoot, provider, scannedAt, scannedBootTime, scannedBoot
        case emptyReason
        // What a place is made of.
        case continent, continentCode, country, countryCode, region, regionName, city, district, zip
        case timezone, offset, currency
        // What a network is made of.
        case isp, org, `as`, asname
        case lat, lon, reverse, mobile, proxy, hosting
    }

    /// - Parameter statement: made of `select`.
    init(statement: Statement) {
        self.statement = statement
    }

    func isNull(_ column: Column) -> Bool {
        sqlite3_column_type(statement.sqliteStatement, column.rawValue) == SQLITE_NULL
    }

    /// - Returns: nil for NULL.
    /// - Throws: ``UnreadableColumn`` where it holds what cannot be; what is of another type is converted by SQLite.
    func value<Value: StatementColumnConvertible>(_ column: Column) throws -> Value? {
        if isNull(column) { return nil }
        let value = Value(sqliteStatement: statement.sqliteStatement, index: column.rawValue)
        guard let value else { throw unreadable(column) }
        return value
    }

    /// - Throws: ``UnreadableColumn`` where it holds what cannot be, or nothing.
    func required<Value: StatementColumnConvertible>(_ column: Column) throws -> Value {
        let value: Value? = try value(column)
        guard let value else { throw unreadable(column) }
        return value
    }

    private func unreadable(_ column: Column) -> UnreadableColumn {
        UnreadableColumn(name: String(cString: sqlite3_column_name(statement.sqliteStatement, column.rawValue)))
    }

    /// For a person to find the row by.
    func key(_ column: Column) -> String {
        isNull(column) ? "NULL" : String(sqliteStatement: statement.sqliteStatement, index: column.rawValue)
    }

    /// Puts down what stands in some columns, so that what is the same has the same bytes, and nothing else.
    func key(from first: Column, to last: Column, into key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        let row = statement.sqliteStatement
        for column in first.rawValue...last.rawValue {
            let type = sqlite3_column_type(row, column)
            key.append(UInt8(truncatingIfNeeded: type))
            if type == SQLITE_INTEGER {
                Self.append(sqlite3_column_int64(row, column), to: &key)
            } else if type != SQLITE_NULL {
                // The bytes first: they may change with the type.
                let bytes = sqlite3_column_blob(row, column)?.assumingMemoryBound(to: UInt8.self)
                let count = Int(sqlite3_column_bytes(row, column))
                Self.append(Int64(count), to: &key)
                key += UnsafeBufferPointer(start: bytes, count: count)
            }
        }
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
