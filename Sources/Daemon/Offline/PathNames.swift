import Glibc

/// The names in directories that determine which file a path leads to: its own, those of symbolic links on the way, and
/// the first one that is missing.
struct PathNames {
    struct Name: Hashable {
        /// A directory that exists, without symbolic links.
        let directory: String
        let name: String
    }

    private(set) var all: [Name] = []

    /// Maximum number of symbolic links on the way, as in the kernel (path_resolution(7)).
    private static let maxLinks = 40

    /// - Parameter path: an absolute path; the file need not exist.
    init(of path: String) {
        var pending = Self.components(of: path)
        var (directory, links) = ("/", 0)
        while let name = pending.popFirst() {
            if name == ".." {
                directory = Self.parent(of: directory)
                continue
            }
            let full = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
            var status = stat()
            let isFound = lstat(full, &status) == 0
            let kind = status.st_mode & S_IFMT
            if !isFound || kind != S_IFDIR || pending.isEmpty {
                all.append(Name(directory: directory, name: String(name)))
            }
            if isFound, kind == S_IFLNK {
                links += 1
                guard links <= Self.maxLinks, let target = Self.target(ofLink: full) else { return }
                if target.hasPrefix("/") { directory = "/" }
                pending = Self.components(of: target) + pending
            } else {
                guard isFound, kind == S_IFDIR else { return }
                directory = full
            }
        }
    }

    private static func components(of path: String) -> ArraySlice<Substring> {
        path.split(separator: "/").filter { $0 != "." }[...]
    }

    private static func parent(of directory: String) -> String {
        let parts = directory.split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    private static func target(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
