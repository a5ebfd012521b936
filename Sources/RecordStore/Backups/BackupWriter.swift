import GRDB
import Glibc

/// Writes a backup.
struct BackupWriter {
    let backup: Backup
    /// The path of the database, for errors.
    let database: String
    /// A connection to an empty database in memory, which attaches the file of the backup.
    let connection: DatabaseQueue
    let progress: StatementProgress

    /// The tables whose rows can be fetched again from the provider.
    private static let omitted: Set = ["record", "scan", "place", "network"]

    /// The path of the backup until it is complete. It is the same for all backups of a database, so that a file left
    /// by a killed process is replaced.
    private var partial: String { backup.partial }

    /// Copies a database. The backup appears under its name when it is complete and on disk.
    ///
    /// - Parameter reading: calls its argument with a read-only connection to the database.
    /// - Throws: `damaged` if not all rows can be read; `backupFailed` if the backup cannot be written; the error of
    ///   `progress`.
    func write(reading: (_ copy: (Database) throws -> Void) throws -> Void) throws {
        try requireRoom()
        unlink(partial)
        defer { unlink(partial) }
        // The umask must not determine who can read the backup.
        let descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        do {
            try connection.attaching(partial, progress) { target in try reading { try copy($0, to: target) } }
        } catch let error as DatabaseError where !Self.isDamage(error) {
            throw StoreError.backupFailed(purpose: purpose, reason: error.message ?? "\(error.resultCode)")
        }
        // The database is not read from here on. While it is being read, its log cannot be reused.
        try progress.checkNow()
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0, rename(partial, backup.path) == 0,
            ParentDirectory.sync(of: backup.path) == 0
        else { throw failure }
    }

    /// Whether an error shows that the database is damaged.
    static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }

    /// Throws if the file system has less free space than twice the size of the database. A backup is never larger than
    /// the database, and the daemon must still be able to write when the backup is complete.
    private func requireRoom() throws {
        // If the sizes are unknown, writing shows whether there is room.
        guard let size = DiskSpace.size(of: database), let available = DiskSpace.availableBytes(at: database) else {
            return
        }
        guard available >= 2 * size + DiskSpace.reserveBytes else {
            throw StoreError.backupFailed(
                purpose: purpose,
                reason: "not enough disk space: \(available) bytes are free, and \(2 * size + DiskSpace.reserveBytes) "
                    + "are required")
        }
    }

    private var purpose: String { "write the backup \(backup.path)" }

    /// The error for errno.
    private var failure: StoreError {
        .backupFailed(purpose: purpose, reason: String(cString: strerror(errno)))
    }

    private func copy(_ source: Database, to target: Database) throws {
        let name = DatabaseQueue.attached
        // The file is synced as a whole, and a partial one is never used.
        try target.execute(sql: "PRAGMA \(name).journal_mode = OFF; PRAGMA \(name).synchronous = OFF")
        try target.inTransaction(.immediate) {
            for pragma in ["application_id", "user_version"] {
                let value = try Int32.fetchOne(source, sql: "PRAGMA \(pragma)") ?? 0
                try target.execute(sql: "PRAGMA \(name).\(pragma) = \(value)")
            }
            let schema = try Row.fetchAll(
                source,
                sql: "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
            func create(_ row: Row) throws {
                // SQLite stores these statements with one space after each of the first two words
                // (sqlite.org/schematab.html).
                let keyword = "CREATE \((row["type"] as String).uppercased()) "
                let sql: String = row["sql"]
                guard sql.hasPrefix(keyword) else {
                    throw StoreError.damaged(path: database, message: "unexpected schema: \(sql)")
                }
                try target.execute(sql: "\(keyword)\(name).\(sql.dropFirst(keyword.count))")
            }
            for row in schema where row["type"] == "table" { try create(row) }
            for row in schema where row["type"] == "table" && !Self.omitted.contains(row["name"]) {
                try copy(row["name"], from: source, to: target)
            }
            for row in schema where row["type"] != "table" { try create(row) }
            return .commit
        }
    }

    private func copy(_ table: String, from source: Database, to target: Database) throws {
        // A lookup is of no use without its record.
        let condition = table == "entry" ? "watched" : "TRUE"
        guard try TableCopy(table: table, condition: condition).run(from: source, to: target).isComplete else {
            throw StoreError.damaged(path: database, message: "table \"\(table)\" cannot be read completely")
        }
    }
}
