import GRDB
import Synchronization

extension Store {
    /// Runs a change to the history; if a history table is damaged, rebuilds the table and runs the change again.
    ///
    /// A table is rebuilt even if all of its rows can be read: a write also needs the free space in its pages.
    ///
    /// - Parameters:
    ///   - onProgress: called repeatedly, on any thread, during a rebuild.
    ///   - body: the change; each run has its own transaction.
    func repairingHistory<Result>(onProgress: @escaping () -> Void, _ body: () throws -> Result) throws -> Result {
        var rebuilt: Set<HistoryTable> = []
        while true {
            do {
                return try body()
            } catch let damage as DamagedHistory {
                guard rebuilt.insert(damage.table).inserted else { throw StoreError(damage, path: path) }
                try rebuild(damage, onProgress)
            }
        }
    }

    /// Rebuilds the table of changes of an older schema if the table, or the index that a migration drops, is damaged.
    /// No transaction can continue once it has encountered a damaged page, not even the migration's.
    func prepareMigration(onProgress: @escaping () -> Void) throws {
        try repairingHistory(onProgress: onProgress) {
            try pool.writeWithoutTransaction { database in
                guard try Self.hasOldIndex(database) else { return }
                try DamagedHistory.finding(in: .change) {
                    for path in ["INDEXED BY change_at", "NOT INDEXED"] {
                        _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM change \(path)")
                    }
                }
            }
        }
    }

    /// Creates the index of the events of host names if the database does not have it, which reads all events. If the
    /// events can be neither read nor rebuilt, the index is created at the next start.
    func indexEventsOfNames(onProgress: @escaping () -> Void) throws {
        try readingHistory(onProgress: onProgress) { unreadable in
            guard !unreadable.contains(.notice) else { return }
            try pool.write { database in
                try DamagedHistory.finding(in: .notice) { try database.execute(sql: Schema.nameIndex) }
            }
        }
    }

    /// Whether the index of changes by time, which schema 5 drops, exists.
    private static func hasOldIndex(_ database: Database) throws -> Bool {
        let index = "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = 'change_at'"
        return try Row.fetchOne(database, sql: index) != nil
    }

    /// Rebuilds a damaged table and reports it.
    func rebuild(_ damage: DamagedHistory, _ onProgress: @escaping () -> Void) throws {
        let count = try HistoryRebuild(of: damage.table, in: pool, onProgress: onProgress).run()
        if damage.table == .change { changes.store(Int64(count), ordering: .relaxed) }
        report(
            "history table \"\(damage.table.rawValue)\" in \(path) was damaged (\(damage.message)) and has been "
                + "rebuilt with its \(count) readable rows; a backup may have more (to list the backups: "
                + "iprecordd --restore), but restoring it also replaces the watch list")
    }
}
