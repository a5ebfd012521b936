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
        guard let stream = opendir(directory) else {
            self = .unknown(errno: errno)
            return
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let item = readdir(stream) {
            let name = withUnsafeBytes(of: item.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        self = .known(names)
    }
}
