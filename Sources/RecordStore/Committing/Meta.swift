import GRDB

/// The numbers in the table `meta`, by name.
enum Meta: String, CaseIterable {
    /// The seq of the last event ever written.
    case lastSeq = "last_seq"
    /// The seq up to which every alert is in the journal.
    case loggedSeq = "logged_seq"
    /// 1 if the watch list has entries from watch-list files, otherwise 0.
    case hasFileEntries = "has_file_entries"
    /// The number of rows in the table `change`.
    case changes
    /// The retention clock in milliseconds, and the wall time, boot time and boot at which it was read.
    case historyElapsed = "history_elapsed"
    case historyWall = "history_at"
    case historyBootTime = "history_boot_ns"
    case historyBoot = "history_boot"

    func set(_ value: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)")
            .execute(arguments: [rawValue, value])
    }

    /// - Returns: nil if the row is missing or does not hold a number.
    func value(in database: Database) throws -> Int64? {
        let row = try Row.fetchOne(database, sql: "SELECT value FROM meta WHERE name = ?", arguments: [rawValue])
        guard case .int64(let value)? = (row?[0] as DatabaseValue?)?.storage else { return nil }
        return value
    }
}
