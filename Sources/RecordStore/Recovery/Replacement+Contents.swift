import GRDB
import Glibc
import RecordKeeping

/// The contents of a new database.
extension Replacement {
    /// Deletes rows whose foreign keys have no parent row, in any version of the schema. A missing boot is inserted
    /// instead, with an id that never matches the current boot, so that its instants are dated by the wall clock.
    ///
    /// - Returns: the number of deleted rows.
    static func repairReferences(in database: Database) throws -> Int {
        var deleted = 0
        let tables = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for table in tables {
            for reference in try database.foreignKeys(on: table) {
                for (child, parent) in reference.mapping {
                    if reference.destinationTable == "boot" {
                        try database.execute(
                            sql: """
                                INSERT OR IGNORE INTO boot (id, boot_id)
                                SELECT DISTINCT "\(child)", 'lost ' || "\(child)" FROM "\(table)"
                                WHERE "\(child)" IS NOT NULL
                                """)
                    } else {
                        try database.execute(
                            sql: """
                                DELETE FROM "\(table)" WHERE "\(child)" IS NOT NULL
                                AND "\(child)" NOT IN (SELECT "\(parent)" FROM "\(reference.destinationTable)")
                                """)
                        deleted += database.changesCount
                    }
                }
            }
        }
        // These columns have no foreign keys, so that the deletion of a cohort does not read all records. Each column
        // has the name of the table to which it refers.
        for table in ["scan", "place", "network"] where tables.contains("scan") {
            try database.execute(
                sql: "DELETE FROM record WHERE \(table) IS NOT NULL AND \(table) NOT IN (SELECT id FROM \(table))")
            deleted += database.changesCount
        }
        return deleted
    }

    /// Raises the seq of the last event to `seq`, unless it is already larger.
    static func raiseLastSeq(to seq: Int64, in database: Database) throws {
        if try Meta.lastSeq.value(in: database).map({ $0 < seq }) ?? true { try Meta.lastSeq.set(seq, in: database) }
    }

    /// Ends the outage and the network loss that were in progress when the backup was made, forgets the health of the
    /// provider, and skips seqs: listeners may have received later events, and must learn that these are lost.
    static func markRestored(from backup: Backup, in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM network_loss;
                DELETE FROM endpoint_health;
                UPDATE outage SET until = max(since, ?) WHERE until IS NULL
                """,
            arguments: [backup.madeAt.milliseconds])
        try skipSeqs(in: database)
    }

    /// Skips more seqs than the number of events that can have been lost.
    static func skipSeqs(in database: Database) throws {
        try skipSeqs(after: Meta.lastSeq.value(in: database) ?? 0, in: database)
    }

    private static func skipSeqs(after seq: Int64, in database: Database) throws {
        // A number outside this range indicates damage, and the store ignores it.
        guard (0...Reading.maxNumber - skippedSeqs).contains(seq) else { return }
        try raiseLastSeq(to: seq + skippedSeqs, in: database)
    }

    /// Skips the seqs that a database has used, and copies the waits that providers have requested with `Retry-After`.
    /// Data that cannot be read is left out.
    static func copyState(from path: String, to target: Database, at now: WallTime) throws {
        // SQLite would delete the log of an empty database.
        guard let size = DiskSpace.size(of: path), size > 0 else { return }
        let previous = Backup(path: path)
        if let seq = try readable({ try previous.read { try Meta.lastSeq.value(in: $0) } }), let seq {
            try skipSeqs(after: seq, in: target)
        }
        let waits = try readable {
            try previous.read {
                try Row.fetchAll(
                    $0,
                    sql: """
                        SELECT provider, endpoint, state, since, failure_kind, failure_message, failure_attempts,
                          failure_at, retry_at
                        FROM endpoint_health WHERE from_retry_after = 1 AND retry_at > ?
                        """,
                    arguments: [now.milliseconds])
            }
        }
        for wait in waits ?? [] {
            do {
                // If the boot is unknown, the ages of these times follow from the wall clock.
                try target.execute(
                    sql: """
                        INSERT OR REPLACE INTO endpoint_health (
                          provider, endpoint, state, since, failure_kind, failure_message, failure_attempts,
                          failure_at, retry_at, from_retry_after)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
                        """,
                    arguments: StatementArguments(wait.databaseValues))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                continue  // A value is damaged.
            }
        }
    }

    /// Returns the result of a query; nil if the database is damaged or has an earlier schema.
    private static func readable<Value>(_ query: () throws -> Value) throws -> Value? {
        do {
            return try query()
        } catch is DatabaseError {
            return nil
        }
    }

    /// The number of seqs to skip after a restore. At 100 events a second, that many events take eleven days.
    private static let skippedSeqs: Int64 = 100_000_000

    /// Completes a new database of the current schema. A change without its event would never expire, so the event is
    /// restored from the change.
    static func complete(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO boot (id, boot_id)
                  SELECT value, 'lost ' || value FROM meta WHERE name = 'history_boot';
                UPDATE meta SET value = max(
                    value, (SELECT coalesce(max(seq), 0) FROM notice), (SELECT coalesce(max(seq), 0) FROM change))
                  WHERE name = 'last_seq';
                INSERT OR IGNORE INTO notice SELECT seq, at, 'changed', address, fields, NULL, NULL, NULL FROM change;
                \(Schema.nameIndex);
                INSERT OR REPLACE INTO meta SELECT 'changes', count(*) FROM change;
                UPDATE meta SET value = (SELECT value FROM meta WHERE name = 'last_seq')
                  WHERE name = 'logged_seq' AND value = 0;
                """)
    }

    /// Marks every quota window as exhausted for its full length plus four seconds: it is unknown how many requests
    /// were sent after the rows were written, and some may still be in flight. Adds a row without a provider for each
    /// endpoint, so that this also holds if no row was saved.
    ///
    /// - Parameter bootID: the id of the boot that `now` belongs to.
    static func spendQuota(in database: Database, at now: Instant, bootID: String) throws {
        try database.execute(sql: "INSERT OR IGNORE INTO boot (boot_id) VALUES (?)", arguments: [bootID])
        let window = Int64(Settings.documentedWindow / .milliseconds(1))
        let spare = Duration.seconds(4)
        for endpoint in Call.Endpoint.allCases {
            try database.execute(
                sql: "INSERT OR IGNORE INTO quota_window (provider, endpoint, under_way, length) VALUES ('', ?, 0, ?)",
                arguments: [endpoint.rawValue, window])
        }
        try database.execute(
            sql: """
                UPDATE quota_window SET length = min(max(length, :window), :longest);
                UPDATE quota_window SET remaining = 0, under_way = 0, margin = NULL, resets_at = :wall + length,
                  resets_boot_ns = :boot + 1000000 * length, resets_boot = (SELECT id FROM boot WHERE boot_id = :id)
                """,
            arguments: [
                "window": window, "longest": Reading.maxWindow, "wall": (now.wall + spare).milliseconds,
                "boot": (now.boot + spare).nanoseconds, "id": bootID,
            ])
    }
}
