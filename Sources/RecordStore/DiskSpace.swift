import Glibc

/// The free space of a file system.
enum DiskSpace {
    /// The number of bytes that a commit may need in addition to its known size, because SQLite still has to write
    /// pages from memory to the log.
    static let reserveBytes = 4 * 1_024 * 1_024

    /// Returns the number of bytes that this process may still use on the file system of a file; nil if it is unknown
    /// (statvfs(3)).
    static func availableBytes(at path: String) -> Int? {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return nil }
        let (bytes, overflow) = Int(clamping: system.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: system.f_frsize))
        return overflow ? nil : bytes
    }

    /// Returns the size of a file in bytes; nil if it is unknown (stat(2)).
    static func size(of path: String) -> Int? {
        var file = stat()
        return stat(path, &file) == 0 ? Int(file.st_size) : nil
    }
}
