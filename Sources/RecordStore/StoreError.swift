import GRDB

/// A failure of the store, with a description that explains what to do.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The directory or the file cannot be used; `reason` is the text of errno.
    case inaccessible(path: String, reason: String)
    /// Another instance has the database open; `pid` is nil if it is unknown.
    case locked(path: String, pid: Int32?)
    /// The file is not an SQLite database.
    case notADatabase(path: String)
    /// SQLite found an inconsistency in the file.
    case damaged(path: String, message: String)
    /// The file is a database of another program.
    case foreign(path: String)
    /// A backup cannot be written, or an old one cannot be deleted; `purpose` is what was attempted, and `reason` is
    /// the text of errno or of SQLite, with advice if the failure stops a migration.
    case backupFailed(purpose: String, reason: String)
    /// A recovery or a restore was interrupted, and its new database is not in place.
    case interrupted(path: String)
    /// A newer version of this program migrated the database; `known` is the newest schema that this version supports.
    case newer(path: String, schema: Int, known: Int)
    /// Any other failure of SQLite, with its extended result code (sqlite.org/rescode.html) and text.
    case sqlite(path: String, code: Int32, message: String)

    package var description: String {
        switch self {
        case .inaccessible(let path, let reason):
            "cannot open the database \(path): \(reason)"
        case .locked(let path, let pid):
            "the database \(path) is in use by another iprecordd\(pid.map { " (pid \($0))" } ?? "")"
        case .notADatabase(let path):
            "\(path) is not an SQLite database, or is damaged; \(Self.remedy)"
        case .damaged(let path, let message):
            "\(path) is damaged (\(message)); \(Self.remedy)"
        case .foreign(let path):
            "\(path) belongs to another program; set path in [store] to a different file"
        case .backupFailed(let purpose, let reason):
            "cannot \(purpose): \(reason)"
        case .interrupted(let path):
            "a recovery or restore of \(path) was interrupted; stop iprecordd.socket and iprecordd.service, then run "
                + "iprecordd --recover (with the same --config) to finish it"
        case .newer(let path, let schema, let known):
            "\(path) has schema \(schema), but this version of iprecordd supports only schemas up to \(known); install "
                + "the newer version, or restore a backup from before the upgrade (to list the backups: "
                + "iprecordd --restore, with the same --config)"
        case .sqlite(let path, let code, let message):
            "\(path): \(message) (SQLite error \(code))"
        }
    }

    /// The socket must be stopped as well: otherwise the next client starts the daemon again.
    private static let remedy =
        "stop iprecordd.socket and iprecordd.service, then run iprecordd --recover (with the same --config) to save "
        + "the readable rows and add missing ones from the newest backup, or iprecordd --restore to list the backups"

    /// Whether the file itself is the problem, so that a retry cannot succeed.
    package var isOfTheFile: Bool {
        switch self {
        case .notADatabase, .damaged, .foreign, .interrupted, .newer: true
        case .inaccessible, .locked, .backupFailed, .sqlite: false
        }
    }

    /// - Parameter path: the database file.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DamagedHistory: self = .damaged(path: path, message: error.message)
        case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB: self = .notADatabase(path: path)
        case let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT:
            self = .damaged(path: path, message: error.message ?? "inconsistent database")
        case let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN:
            self = .inaccessible(path: path, reason: error.message ?? "unknown reason")
        case let error as DatabaseError:
            let code = error.extendedResultCode
            self = .sqlite(path: path, code: code.rawValue, message: error.message ?? "\(code)")
        default: self = .sqlite(path: path, code: 1, message: "\(error)")
        }
    }
}
