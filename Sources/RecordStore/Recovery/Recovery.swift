import GRDB
import GRDBSQLite
import Glibc
package import RecordKeeping

/// Recovers a damaged database: copies every row that SQLite can still read, and adds missing rows from the newest
/// readable backup.
///
///     let outcome = try Recovery(path: "/var/lib/iprecord/records.db").run(at: now, bootID: bootID)
///
/// The damaged files are kept unchanged beside the database as `….damaged-SECONDS`.
package struct Recovery {
    /// The result of a recovery.
    package struct Outcome: Hashable, Sendable {
        /// The path to which the damaged database was renamed; nil if an interrupted replacement was finished.
        package var damaged: String?
        /// Whether an interrupted recovery or restore was finished, and nothing else was done.
        package var onlyFinishes = false
        /// The numbers of entries and records in the new database.
        package var entries = 0
        package var records = 0
        /// The tables that could not be read completely.
        package var incomplete: [String] = []
        /// The number of rows that were read, but have invalid values or lack the row that they refer to.
        package var invalid = 0
        /// The backup from which missing rows were added; nil if none was needed or readable.
        package var backup: Backup?
        /// The newer backups that cannot be used.
        package var skipped: [SkippedBackup] = []
    }

    package struct SkippedBackup: Hashable, Sendable {
        package let path: String
        package let reason: String
    }

    private let path: String
    private let replacement: Replacement

    /// - Parameter path: the damaged database file.
    package init(path: String) {
        self.path = path
        replacement = Replacement(of: path, keptAs: "damaged")
    }

    /// Recovers the database and replaces it.
    ///
    /// - Parameters:
    ///   - now: its wall time in seconds becomes part of the names of the damaged files.
    ///   - bootID: the id of the current boot.
    /// - Throws: `Problem`, or `StoreError` if a daemon has the database open, the new one cannot be written, or the
    ///   directory cannot be read.
    package func run(at now: Instant, bootID: String) throws -> Outcome {
        guard access(path, F_OK) == 0 || replacement.wasInterrupted else { throw Problem.missing(path: path) }
        return try replacement.locked {
            if replacement.wasInterrupted {
                try replacement.finish(at: now.wall)
                return Outcome(onlyFinishes: true)
            }
            let (filled, damaged) = try replacement.run(at: now.wall) {
                var outcome = Outcome()
                let backup = try newestBackup(at: now.wall, &outcome.skipped)
                do {
                    try copyReadableRows(&outcome, backup)
                } catch let error as Unreadable {
                    guard let backup else {
                        throw Problem.nothingFound(
                            path: path, reason: "\(error.reason), and there is no readable backup", outcome.skipped)
                    }
                    outcome.backup = backup
                    outcome.incomplete = [Self.everything]
                    try backup.copy(to: replacement.fresh)
                }
                try complete(&outcome, at: now, bootID: bootID)
                return outcome
            }
            var outcome = filled
            outcome.damaged = damaged
            return outcome
        }
    }

    /// The name that stands for all tables in `Outcome.incomplete`.
    package static let everything = "*"

    /// The reason why no rows can be copied: SQLite cannot read the schema, or the database is another program's.
    private struct Unreadable: Error {
        let reason: String

        init(reason: String) { self.reason = reason }

        init(_ error: DatabaseError) { reason = error.message ?? "\(error.resultCode)" }
    }

    /// Returns the newest backup that can be read. A backup dated in the future was made while the clock was wrong, so
    /// it is tried last.
    private func newestBackup(at now: WallTime, _ skipped: inout [SkippedBackup]) throws(StoreError) -> Backup? {
        let backups = try Backup.all(of: path)
        for backup in backups.filter({ $0.madeAt <= now }) + backups.filter({ $0.madeAt > now }) {
            do throws(Problem) {
                _ = try backup.contents()
                return backup
            } catch {
                skipped.append(SkippedBackup(path: backup.path, reason: error.reason))
            }
        }
        return nil
    }

    // MARK: The damaged database

    /// Makes the new database in the schema of the damaged one, and copies the rows of all tables.
    private func copyReadableRows(_ outcome: inout Outcome, _ backup: Backup?) throws {
        let source = try openDamaged()
        defer { try? source.close() }  // Nothing was written.
        let version = try version(of: source)
        let target = try newDatabase(upTo: version)
        let copied = Result {
            try source.unsafeRead { source in
                // Without a transaction, SQLite would lock the file for each query.
                try source.execute(sql: "BEGIN")
                return try target.inTransaction { target in
                    try copy(source, to: target, &outcome, backup)
                    return .commit
                }
            }
        }
        try target.close()
        try copied.get()
    }

    private func openDamaged() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        // With a writable schema, SQLite also opens a file that was truncated, or whose schema is partly damaged
        // (sqlite.org/pragma.html#pragma_writable_schema).
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA cell_size_check = ON; PRAGMA writable_schema = ON")
        }
        // SQLite would delete the log of an empty database.
        guard DiskSpace.size(of: path) != 0 else { throw Unreadable(reason: "the file is empty") }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch let error as DatabaseError {
            throw unreadable(error)
        }
    }

    private func unreadable(_ error: DatabaseError) -> any Error {
        ReadableRows.isDamage(error) ? Unreadable(error) : StoreError(error, path: path)
    }

    /// Returns the name of the last migration of the damaged database.
    private func version(of source: DatabaseQueue) throws -> String {
        do {
            return try source.unsafeRead { database in
                guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == Schema.applicationID else {
                    throw Unreadable(reason: "it is not an iprecordd database")
                }
                let known = Schema.migrator.migrations
                let current = known[known.count - 1]
                // Without this table, the database probably has the current schema. If it does not, only the columns
                // that both schemas have are copied.
                guard try !TableColumn.all(of: "grdb_migrations", in: database).isEmpty else { return current }
                var applied: Set<String> = []
                let isComplete = try ReadableRows(of: "grdb_migrations", in: database).forEach {
                    if let name = sqlite3_column_text($0.sqliteStatement, 1) { applied.insert(String(cString: name)) }
                }
                // A name may be damaged.
                let last = applied.map(Schema.number(ofMigration:)).max() ?? 0
                guard last <= Schema.newest else {
                    throw StoreError.newer(path: path, schema: last, known: Schema.newest)
                }
                return (isComplete ? known.last(where: applied.contains) : nil) ?? current
            }
        } catch let error as DatabaseError {
            throw unreadable(error)
        }
    }

    private func newDatabase(upTo version: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        // Rows are copied table by table, so a row may precede the one that it refers to.
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: replacement.fresh, configuration: configuration)
        try Schema.migrator.migrate(queue, upTo: version)
        return queue
    }

    private func copy(
        _ source: Database, to target: Database, _ outcome: inout Outcome, _ backup: Backup?
    ) throws {
        let tables = try String.fetchAll(
            target,
            sql: """
                SELECT name FROM sqlite_master
                WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations' ORDER BY name
                """)
        for table in tables {
            let copied = try copyTable(table, from: source, to: target)
            outcome.invalid += copied.rejected
            if !copied.isComplete { outcome.incomplete.append(table) }
        }
        outcome.invalid += try Replacement.repairReferences(in: target)
        if let backup, !Self.backedUpTables.allSatisfy({ !outcome.incomplete.contains($0) }) {
            outcome.backup = backup
            try backup.read { try complete(target, from: $0, madeAt: backup.madeAt, outcome.incomplete) }
            // The rows of the backup may refer to other boots.
            outcome.invalid += try Replacement.repairReferences(in: target)
        }
    }

    private func copyTable(_ table: String, from source: Database, to target: Database) throws -> TableCopy.Outcome {
        do {
            return try TableCopy(table: table).run(from: source, to: target)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // The schema of the damaged database does not contain the table.
            return TableCopy.Outcome(isComplete: false)
        }
    }

    // MARK: The new database

    private func complete(_ outcome: inout Outcome, at now: Instant, bootID: String) throws {
        // This also applies the migrations that follow the schema of the damaged database.
        let store = try Store(path: replacement.fresh)
        let counts = Result {
            try store.pool.write { database in
                if outcome.incomplete == [Self.everything], let backup = outcome.backup {
                    try Replacement.markRestored(from: backup, in: database)
                }
                try Replacement.complete(database)
                // The last seq may have been larger than every seq that can be read.
                if outcome.incomplete.contains("meta") { try Replacement.skipSeqs(in: database) }
                try Replacement.spendQuota(in: database, at: now, bootID: bootID)
                return (
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0,
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM record") ?? 0
                )
            }
        }
        try store.close()
        (outcome.entries, outcome.records) = try counts.get()
        if outcome.entries == 0, outcome.incomplete.contains("entry") || outcome.incomplete == [Self.everything] {
            throw Problem.nothingFound(path: path, reason: "no addresses found", outcome.skipped)
        }
    }
}
