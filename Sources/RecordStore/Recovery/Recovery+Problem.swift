import Glibc

extension Recovery {
    /// The reason why a recovery or a restore failed, or why a backup cannot be used.
    package enum Problem: Error, Hashable, CustomStringConvertible {
        case missing(path: String)
        case nothingFound(path: String, reason: String, _ skipped: [SkippedBackup])
        /// A system call failed. If `isUnchanged` is false, the exchange of the files has begun, and the next run
        /// finishes it.
        case files(purpose: String, reason: String, isUnchanged: Bool)
        case unusableBackup(path: String, reason: String)

        /// The reason without the path and the advice.
        package var reason: String {
            switch self {
            case .missing: "it does not exist"
            case .nothingFound(_, let reason, _), .files(_, let reason, _), .unusableBackup(_, let reason): reason
            }
        }

        /// Performs a system call.
        ///
        /// - Parameters:
        ///   - purpose: a verb phrase that follows "cannot" in the message.
        ///   - call: returns -1 and sets errno if it fails.
        static func check(
            _ purpose: String, isUnchanged: Bool = true, _ call: () -> Int32
        ) throws(Problem) {
            guard call() != -1 else {
                throw .files(purpose: purpose, reason: String(cString: strerror(errno)), isUnchanged: isUnchanged)
            }
        }

        package var description: String {
            switch self {
            case .missing(let path): "no database at \(path); to list its backups: iprecordd --restore"
            case .nothingFound(let path, let reason, let skipped):
                "nothing can be recovered from \(path): \(reason); "
                    + skipped.map { "skipped the backup \($0.path): \($0.reason); " }.joined()
                    + "to list the backups: iprecordd --restore; to start with an empty database, move the file away"
            case .files(let purpose, let reason, let isUnchanged):
                "cannot \(purpose): \(reason); "
                    + (isUnchanged ? "the database is unchanged" : "run the command again to finish")
            case .unusableBackup(let path, let reason):
                "the backup \(path) cannot be used: \(reason); to list the backups: iprecordd --restore"
            }
        }
    }
}
