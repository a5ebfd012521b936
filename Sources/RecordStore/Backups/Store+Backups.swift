import Dispatch
import GRDB
import Glibc
package import RecordKeeping
import Synchronization

extension Store {
    /// Makes a backup unless the newest one is current, and deletes the oldest backups beyond the limit.
    ///
    /// - Parameters:
    ///   - limit: the number of backups to keep; with 0, none is made and none is deleted.
    ///   - done: called on the queue for backups with the new backup, or with nil if none was necessary or the store is
    ///     being closed.
    package func backUp(
        keeping limit: Int, at now: WallTime, done: @escaping @Sendable (Result<Backup?, StoreError>) -> Void
    ) {
        backupQueue.async { [self] in
            let progress = StatementProgress { [self] in try checkNotClosing() }
            done(
                result {
                    do {
                        try checkNotClosing()
                        let isNeeded =
                            try limit > 0
                            && pool.read { database in
                                try progress.observe(database) {
                                    try !isCurrent(newestBackup(at: now), database, progress)
                                }
                            }
                        guard isNeeded else { return nil }
                        return try makeBackup(keeping: limit, at: now, progress) { copy in
                            try pool.read { database in try progress.observe(database) { try copy(database) } }
                        }
                    } catch is CancellationError {
                        return nil
                    }
                })
        }
    }

    /// Makes a backup of a database that is about to be migrated, unless an earlier attempt at the migration has
    /// already made one. A damaged database is not backed up, because an incomplete backup is of no use.
    ///
    /// - Parameter onProgress: called repeatedly.
    func backUpBeforeMigration(keeping limit: Int, at now: WallTime, onProgress: @escaping () -> Void) throws {
        let progress = StatementProgress(onProgress)
        do {
            // Nothing is written yet. In a transaction, an I/O error while reading would also make later statements
            // fail.
            try pool.unsafeRead { database in
                try progress.observe(database) {
                    let migrations = try Schema.migrator.appliedIdentifiers(database)
                    guard limit > 0, !migrations.isEmpty, try !Schema.migrator.hasCompletedMigrations(database) else {
                        return
                    }
                    let newest = try newestBackup(at: now)
                    if let newest, try hasMigrations(migrations, newest, progress),
                        try isCurrent(newest, database, progress)
                    {
                        return
                    }
                    _ = try makeBackup(keeping: limit, at: now, progress) { copy in try copy(database) }
                }
            }
        } catch let error as DatabaseError where BackupWriter.isDamage(error) {
            report("the database is damaged, so it is migrated without a backup: \(error.message ?? "")")
        } catch StoreError.damaged(_, let message) {
            report("the database is damaged, so it is migrated without a backup: \(message)")
        } catch StoreError.backupFailed(let purpose, let reason) {
            throw StoreError.backupFailed(
                purpose: purpose,
                reason: "\(reason); fix this, or set backups = 0 in [store] to migrate without a backup")
        }
    }

    /// Writes a backup, and then deletes the oldest ones beyond the limit.
    ///
    /// If the watch list is empty, older backups with addresses stay, because these may have been removed by mistake.
    ///
    /// - Parameter reading: calls its argument with a connection to the database.
    /// - Throws: `damaged` if not all rows can be read; `backupFailed` if the backup cannot be written.
    private func makeBackup(
        keeping limit: Int, at now: WallTime, _ progress: StatementProgress,
        reading: (_ copy: (Database) throws -> Void) throws -> Void
    ) throws -> Backup {
        let backup = Backup(of: path, at: now)
        try BackupWriter(backup: backup, database: path, connection: backupConnection(), progress: progress)
            .write(reading: reading)
        // A backup dated in the future was made while the clock was wrong, so it is deleted first.
        var others = try Backup.all(of: path).filter { $0 != backup }
        others = others.filter { $0.madeAt <= now } + others.filter { $0.madeAt > now }
        if try !hasAddresses(backup, progress) { others = try others.filter { try !hasAddresses($0, progress) } }
        for old in others.dropFirst(limit - 1) {
            guard unlink(old.path) == 0 else {
                throw StoreError.backupFailed(
                    purpose: "delete the old backup \(old.path)", reason: String(cString: strerror(errno)))
            }
        }
        return backup
    }

    /// Whether a backup contains a watched address, or cannot be read.
    private func hasAddresses(_ backup: Backup, _ progress: StatementProgress) throws -> Bool {
        do {
            return try backupConnection().attaching(backup.path, progress) {
                try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE watched)") ?? true
            }
        } catch is DatabaseError {
            return true
        }
    }

    /// Throws if the store is being closed, which should not wait for a backup.
    private func checkNotClosing() throws(CancellationError) {
        if isClosing.load(ordering: .relaxed) { throw CancellationError() }
    }

    /// Returns the connection that all backups use; opens it at the first call.
    private func backupConnection() throws -> DatabaseQueue {
        try attachConnection.withLock { connection in
            let open = try connection ?? .forAttaching()
            connection = open
            return open
        }
    }

    private func newestBackup(at now: WallTime) throws -> Backup? {
        try Backup.all(of: path).first { $0.madeAt <= now }
    }

    /// Whether a backup has the current watch list and history. A backup that cannot be read does not.
    private func isCurrent(_ backup: Backup?, _ database: Database, _ progress: StatementProgress) throws -> Bool {
        guard let backup else { return false }
        let current = try Backup.Fingerprint(database)
        do {
            return try backupConnection().attaching(backup.path, progress) {
                try Backup.Fingerprint($0) == current
            }
        } catch is DatabaseError {
            return false
        }
    }

    private func hasMigrations(
        _ migrations: Set<String>, _ backup: Backup, _ progress: StatementProgress
    ) throws -> Bool {
        do {
            return try backupConnection().attaching(backup.path, progress) {
                try String.fetchSet($0, sql: "SELECT identifier FROM grdb_migrations") == migrations
            }
        } catch is DatabaseError {
            return false
        }
    }
}
