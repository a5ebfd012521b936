import Files
import Glibc

/// The properties of a file system from statvfs(3).
enum FileSystem {
    /// The properties, with the space available to users other than root.
    case known(freeBytes: UInt64, isReadOnly: Bool)
    case unknown(errno: Int32)

    init(of directory: String) {
        var status = statvfs()
        self =
            statvfs(directory, &status) == 0
            ? .known(
                freeBytes: UInt64(clamping: UInt128(status.f_bavail) * UInt128(status.f_frsize)),
                isReadOnly: status.f_flag & UInt(ST_RDONLY) != 0)
            : .unknown(errno: errno)
    }
}

/// The names of the files in a directory.
enum DirectoryNames {
    case known([String])
    case unknown(errno: Int32)

    init(of directory: String) {
        do {
            self = .known(try DirectoryContents.names(in: directory))
        } catch {
            self = .unknown(errno: error.errno)
        }
    }
}
