import Glibc

/// The directory that contains a file.
enum ParentDirectory {
    /// Returns the path of the directory, which ends with a slash, or "." if the path is only a file name.
    static func path(of file: String) -> String {
        file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
    }

    /// Syncs the directory, so that the names of its files survive a power failure (fsync(2)).
    ///
    /// - Returns: 0, or -1 with the error in errno.
    static func sync(of file: String) -> Int32 {
        let descriptor = open(path(of: file), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return -1 }
        defer { close(descriptor) }
        return fsync(descriptor)
    }
}
