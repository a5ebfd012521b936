import Foundation
import GRDB
import Glibc
package import RecordKeeping

/// Recovers the rows of a damaged database into a new one.
///
///     let outcome = try Recovery(path: "/var/lib/iprecord/records.db").run(at: now)
///
/// Rows are found on all pages, including those that the b-trees no longer reach. The damaged files are kept unchanged
/// beside the database as `….damaged-SECONDS`.
///
/// `.recover` of sqlite3(1) does the same, but needs a module that Debian's build of SQLite lacks
/// (sqlite.org/dbpage.html).
package struct Recovery {
    /// The result of a recovery.
    package struct Outcome: Hashable, Sendable {
        /// The path to which the damaged database was renamed.
        package var damaged: String
        /// Entries and records in the new database.
        package var entries = 0
        package var records = 0
        /// Cells and pages that could not be read, and records without an entry.
        package var lost = 0
    }

    /// The reason why nothing was recovered.
    package enum Problem: Error, Hashable, CustomStringConvertible {
        case missing(path: String)
        case nothingFound(path: String, reason: String)
        case files(purpose: String, reason: String)

        package var description: String {
            switch self {
            case .missing(let path): "no database at \(path)"
            case .nothingFound(let path, let reason):
                "nothing can be recovered from \(path): \(reason); move it away to start with an empty database"
            case .files(let purpose, let reason): "cannot \(purpose): \(reason)"
            }
        }
    }

    private let path: String
    /// The path of the new database until it replaces the damaged one.
    private var fresh: String { path + ".recovered" }

    /// - Parameter path: the damaged database file.
    package init(path: String) {
        self.path = path
    }

    /// Recovers the database and replaces it.
    ///
    /// - Parameter now: the wall time in the names of the damaged files, in seconds.
    /// - Throws: `Problem`, or `StoreError` if a daemon has the database open or the new one cannot be written.
    package func run(at now: WallTime) throws -> Outcome {
        guard access(path, F_OK) == 0 else { throw Problem.missing(path: path) }
        let lock = try InstanceLock(beside: path)
        defer { lock.release() }
        removeLeftovers()
        defer { removeLeftovers() }
        let outcome = try refill(Outcome(damaged: "\(path).damaged-\(now.milliseconds / 1_000)"))
        try exchange(outcome.damaged)
        return outcome
    }

    private func removeLeftovers() {
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] { unlink(fresh + suffix) }
    }

    // MARK: Filling

    private func refill(_ outcome: Outcome) throws -> Outcome {
        let file = try DamagedFile(path: path)
        defer { file.finish() }
        let store = try Store(path: fresh)
        let filled = Result { try store.pool.writeWithoutTransaction { try fill($0, from: file, outcome) } }
        try store.close()
        return try filled.get()
    }

    private func fill(_ database: Database, from file: DamagedFile, _ start: Outcome) throws -> Outcome {
        var outcome = start
        // Rows come in no particular order, so a record may precede its entry.
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        try database.inTransaction {
            let salvage = try Salvage(into: database)
            outcome.lost = try file.forEachRow(salvage.keep)
            try database.execute(sql: "DELETE FROM record WHERE address NOT IN (SELECT address FROM entry)")
            outcome.lost += database.changesCount
            try database.execute(sql: Self.completion)
            outcome.entries = try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0
            outcome.records = try Int.fetchOne(database, sql: "SELECT count(*) FROM record") ?? 0
            guard outcome.entries > 0 else {
                throw Problem.nothingFound(path: path, reason: "no addresses found")
            }
            return .commit
        }
        return outcome
    }

    /// A missing boot row is replaced by one that never matches the current boot, so its instants are dated by the wall
    /// clock. A change without its event would never expire, so the event is restored from the change.
    private static let completion = """
        INSERT OR IGNORE INTO boot (id, boot_id)
          SELECT id, 'lost ' || id FROM (
            SELECT failure_boot AS id FROM entry UNION SELECT scanned_boot FROM record UNION
            SELECT resets_boot FROM quota_window UNION SELECT failure_boot FROM endpoint_health UNION
            SELECT retry_boot FROM endpoint_health UNION
            SELECT value FROM meta WHERE name = 'history_boot') WHERE id IS NOT NULL;
        UPDATE meta SET value = max(
            value, (SELECT coalesce(max(seq), 0) FROM notice), (SELECT coalesce(max(seq), 0) FROM change))
          WHERE name = 'last_seq';
        INSERT OR IGNORE INTO notice SELECT seq, at, 'changed', address, fields, NULL, NULL FROM change;
        INSERT OR REPLACE INTO meta SELECT 'changes', count(*) FROM change;
        UPDATE meta SET value = (SELECT value FROM meta WHERE name = 'last_seq')
          WHERE name = 'logged_seq' AND value = 0;
        """

    // MARK: Exchanging

    /// Keeps the damaged files under their new names and puts the new database in place. The log is renamed first;
    /// otherwise, SQLite would apply the log to the new database.
    private func exchange(_ damaged: String) throws(Problem) {
        // The owner remains the daemon's user even if root runs the recovery.
        var status = stat()
        try call("read the owner of \(path)") { stat(path, &status) }
        for file in [fresh, path + ".lock"] {
            try call("change the owner of \(file)") { lchown(file, status.st_uid, status.st_gid) }
        }
        try call("link \(path) to \(damaged)") { link(path, damaged) }
        if access(path + "-wal", F_OK) == 0 {
            try call("rename \(path)-wal to \(damaged)-wal") { rename(path + "-wal", damaged + "-wal") }
        }
        unlink(path + "-shm")
        try call("rename \(fresh) to \(path)") { rename(fresh, path) }
    }

    private func call(_ purpose: String, _ work: () -> Int32) throws(Problem) {
        guard work() == 0 else { throw .files(purpose: purpose, reason: String(cString: strerror(errno))) }
    }
}
