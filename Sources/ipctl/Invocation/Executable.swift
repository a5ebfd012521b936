import Glibc

/// A program as a user names it: a path, or a name that is searched for in PATH.
struct Executable {
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    /// Whether the program exists and may be executed.
    var isFound: Bool {
        guard !name.contains("/") else { return Self.isExecutable(name) }
        guard !name.isEmpty else { return false }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { Self.isExecutable("\($0)/\(name)") }
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
