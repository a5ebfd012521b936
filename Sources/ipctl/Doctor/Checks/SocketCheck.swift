import Glibc

/// Checks the socket and its directories: all users must be able to connect.
struct SocketCheck: Check {
    static let name = "socket"

    let target: DoctorTarget
    /// Other sockets on which a daemon may be listening.
    var others: [String] = []

    /// The mode that the socket unit sets; nil if it is unknown.
    var unitMode: mode_t?

    private static let maxPathBytes = 107

    func findings() -> [Finding] {
        let path = target.socket
        guard path.utf8.count <= Self.maxPathBytes else {
            return bad(
                "\(path) is too long: a socket path can be at most \(Self.maxPathBytes) bytes long",
                remedy: "Use a shorter path for --socket and for [control] socket in the daemon's configuration")
        }
        if let directory = closedDirectory {
            return bad(
                "you have no access to the directory \(directory.path)\(directory.mode)",
                remedy: DoctorTarget.asRoot("chmod 0755 \(directory.path.shellWord)"))
        }
        switch FileStatus(path) {
        case .missing(ENOENT), .missing(ENOTDIR): return missing
        case .missing(let error):
            return bad("cannot inspect \(path): \(meaning(of: error))", remedy: "namei -l \(path.shellWord)")
        case .found(let status) where status.st_mode & S_IFMT != S_IFSOCK:
            return bad(
                "\(path) is not a socket: the daemon cannot listen there",
                remedy:
                    "\(DoctorTarget.asRoot("mv \(path.shellWord) \((path + ".old").shellWord)")); \(target.restart)"
            )
        case .found(let status): return modes(status)
        }
    }

    private var missing: [Finding] {
        let other = others.first { path in
            if case .found(let status) = FileStatus(path) { status.st_mode & S_IFMT == S_IFSOCK } else { false }
        }
        let elsewhere = other.map { "Another socket exists: ipctl --socket \($0.shellWord) doctor. Or: " } ?? ""
        return bad("\(target.socket) does not exist: no daemon listens there", remedy: elsewhere + target.start)
    }

    private func modes(_ socket: stat) -> [Finding] {
        var findings: [Finding] = []
        // Connecting needs write permission (unix(7)).
        let isIntended = socket.st_mode & 0o777 == unitMode
        if socket.st_mode & 0o222 != 0o222, !isIntended {
            findings += bad(
                "\(target.socket) has mode \(socket.permissions), but all users should be able to connect",
                remedy: DoctorTarget.asRoot("chmod 0666 \(target.socket.shellWord)"))
        }
        let directory = target.socket.directory
        if case .found(let status) = FileStatus(directory), status.st_mode & 0o001 == 0, !isPrivate(status) {
            findings += warning(
                "its directory \(directory) has mode \(status.permissions), so other users cannot connect",
                remedy: DoctorTarget.asRoot("chmod 0755 \(directory.shellWord)"))
        }
        guard findings.isEmpty else { return findings }
        let note = isIntended && unitMode != 0o666 ? ", as SocketMode of iprecordd.socket says" : ""
        let text = "\(target.socket) exists, mode \(socket.permissions)\(note)"
        guard isIntended, access(target.socket, W_OK) != 0, errno == EACCES else { return ok(text) }
        let permissions = SocketPermissions(socket)
        return warning("\(text): only \(permissions.users) can connect", remedy: permissions.advice)
    }

    /// Whether the directory belongs to a user and is therefore private on purpose.
    private func isPrivate(_ directory: stat) -> Bool {
        !target.isService || directory.st_uid == geteuid() && geteuid() != 0
    }

    /// The first directory of the path that this process cannot search.
    private var closedDirectory: (path: String, mode: String)? {
        let path = target.socket
        for slash in path.indices where path[slash] == "/" && slash != path.startIndex {
            let directory = String(path[..<slash])
            guard access(directory, X_OK) != 0, errno == EACCES else { continue }
            if case .found(let status) = FileStatus(directory) {
                return (directory, ": its mode is \(status.permissions)")
            }
            return (directory, "")
        }
        return nil
    }
}
