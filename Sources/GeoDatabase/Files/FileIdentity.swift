import Glibc

/// The version of a file: changes if the file is replaced or written to.
///
/// A write that keeps the size and happens in the same tick of the kernel's clock (at most 10 ms) as the previous write
/// is not noticed.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: Timestamp
    /// A program that copies the modification time of another file, such as rsync, cannot set this time.
    private let changed: Timestamp

    private struct Timestamp: Hashable {
        let seconds: Int
        let nanoseconds: Int

        init(_ time: timespec) {
            seconds = time.tv_sec
            nanoseconds = time.tv_nsec
        }
    }

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Timestamp(status.st_mtim)
        changed = Timestamp(status.st_ctim)
    }

    /// Returns the identity of the file at a path; nil if it cannot be examined.
    static func ofFile(at path: String) -> FileIdentity? {
        var status = stat()
        return stat(path, &status) == 0 ? FileIdentity(status) : nil
    }
}
