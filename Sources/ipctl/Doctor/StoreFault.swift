/// The cause of an error of the store, derived from the daemon's message and the file system.
enum StoreFault {
    case fullDisk, readOnly, diskError, damage, unknown

    /// The texts of SQLite (sqlite3_errstr), of errno, and of the daemon.
    private static let full = ["disk is full", "no space left", "quota exceeded"]
    private static let damaged = ["is damaged", "not an sqlite database", "is malformed", "is not a database"]
    private static let unwritable = ["readonly database", "read-only"]
    private static let failedDisk = ["disk i/o error", "input/output error"]

    /// - Parameter minFreeBytes: the free space below which an error is presumed to be the result of a full disk.
    init(_ message: String, on fileSystem: FileSystem, minFreeBytes: UInt64) {
        let text = message.lowercased()
        func isOne(of texts: [String]) -> Bool { texts.contains { text.contains($0) } }
        var (isReadOnly, isFull) = (isOne(of: Self.unwritable), isOne(of: Self.full))
        if case .known(let freeBytes, let isMountedReadOnly) = fileSystem {
            isReadOnly = isReadOnly || isMountedReadOnly
            isFull = isFull || !isReadOnly && freeBytes < minFreeBytes
        }
        self =
            if isOne(of: Self.damaged) {
                .damage
            } else if isReadOnly {
                .readOnly
            } else if isFull {
                .fullDisk
            } else if isOne(of: Self.failedDisk) {
                .diskError
            } else {
                .unknown
            }
    }
}
