import GRDB
package import RecordKeeping

/// Replaces a database with one of its backups.
///
///     let outcome = try Restoration(path: "/var/lib/iprecord/records.db").run(backup, at: now, bootID: bootID)
///
/// The replaced files are kept unchanged beside the database as `….replaced-SECONDS`. Records that the backup lacks are
/// fetched again.
package struct Restoration {
    package struct Outcome: Hashable, Sendable {
        /// The path to which the previous database was renamed; nil if there was none.
        package var replaced: String?
        package var contents: Backup.Contents
    }

    private let path: String
    private let replacement: Replacement

    /// - Parameter path: the database file, which need not exist.
    package init(path: String) {
        self.path = path
        replacement = Replacement(of: path, keptAs: "replaced")
    }

    /// - Parameters:
    ///   - now: its wall time in seconds becomes part of the names of the replaced files.
    ///   - bootID: the id of the current boot.
    /// - Throws: `Recovery.Problem` if the backup is unusable or a file cannot be replaced, or `StoreError` if a daemon
    ///   has the database open or the new one cannot be written.
    package func run(_ backup: Backup, at now: Instant, bootID: String) throws -> Outcome {
        try replacement.locked {
            // An interrupted replacement is finished first. Otherwise, the log of the previous database could be kept
            // as the log of another database.
            if replacement.wasInterrupted { try replacement.finish(at: now.wall) }
            let (contents, replaced) = try replacement.run(at: now.wall) {
                try backup.copy(to: replacement.fresh)
                let contents = try readCopy(of: backup)
                let store = try Store(path: replacement.fresh)
                let completed = Result {
                    try store.pool.write { database in
                        try Replacement.markRestored(from: backup, in: database)
                        try Replacement.copyState(from: path, to: database, at: now.wall)
                        try Replacement.complete(database)
                        try Replacement.spendQuota(in: database, at: now, bootID: bootID)
                    }
                }
                try store.close()
                try completed.get()
                return contents
            }
            return Outcome(replaced: replaced, contents: contents)
        }
    }

    /// Reads the copy, because the backup may be on a read-only medium, where SQLite cannot open a file with a log.
    private func readCopy(of backup: Backup) throws(Recovery.Problem) -> Backup.Contents {
        do throws(Recovery.Problem) {
            return try Backup(path: replacement.fresh).contents()
        } catch {
            throw .unusableBackup(path: backup.path, reason: error.reason)
        }
    }
}
