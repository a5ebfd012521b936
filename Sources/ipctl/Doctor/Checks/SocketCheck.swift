import Glibc

/// The socket's file, and the way to it: whoever may read there has to get to it.
struct SocketCheck: Check {
    static let name = "socket"

    let patient: Patient
    /// Where else a daemon may listen.
    var others: [String] = []

    private static let longestPathBytes = 107

    func findings() -> [Finding] {
        let path = patient.socket
        guard path.utf8.count <= Self.longestPathBytes else {
            return [
                bad(
                    "\(path) is too long: a socket's path has at most \(Self.longestPathBytes) bytes",
                    remedy: "Name another with --socket, and in [control] socket of the daemon's configuration.")
            ]
        }
        if let folder = closedFolder {
            return [
                bad(
                    "the folder \(folder.path) is closed to you\(folder.mode)",
                    remedy: Patient.asRoot("chmod 0755 \(folder.path.shellWord)"))
            ]
        }
        switch FileStatus(path) {
        case .missing(ENOENT), .missing(ENOTDIR): return [missing]
        case .missing(let error):
            return [bad("\(path) cannot be looked at: \(meaning(of: error))", remedy: "namei -l \(path.shellWord)")]
        case .found(let status) where status.st_mode & S_IFMT != S_IFSOCK:
            return [
                bad(
                    "\(path) is there, and no socket: the daemon cannot listen there",
                    remedy: "\(Patient.asRoot("mv \(path.shellWord) \((path + ".old").shellWord)")); \(patient.restart)"
                )
            ]
        case .found(let status): return modes(status)
        }
    }

    private var missing: Finding {
        let other = others.first { path in
            if case .found(let status) = FileStatus(path) { status.st_mode & S_IFMT == S_IFSOCK } else { false }
        }
        let elsewhere = other.map { "There is one elsewhere: ipctl --socket \($0.shellWord) doctor. Or: " } ?? ""
        return bad("there is no \(patient.socket): no daemon listens there", remedy: elsewhere + patient.start)
    }

    private func modes(_ socket: stat) -> [Finding] {
        var findings: [Finding] = []
        // Connecting takes the permission to write (unix(7)).
        if socket.st_mode & 0o222 != 0o222 {
            findings.append(
                bad(
                    "\(patient.socket) has mode \(socket.permissions), which keeps some out: reading is open to everybody",
                    remedy: Patient.asRoot("chmod 0666 \(patient.socket.shellWord)")))
        }
        let folder = patient.socket.folder
        if case .found(let status) = FileStatus(folder), status.st_mode & 0o001 == 0, !isPrivate(status) {
            findings.append(
                warning(
                    "its folder \(folder) has mode \(status.permissions), which keeps others out",
                    remedy: Patient.asRoot("chmod 0755 \(folder.shellWord)")))
        }
        return findings.isEmpty ? [ok("\(patient.socket) is there, mode \(socket.permissions)")] : findings
    }

    /// A user's own folder is closed to others by intention.
    private func isPrivate(_ folder: stat) -> Bool {
        !patient.isService || folder.st_uid == geteuid() && geteuid() != 0
    }

    /// The first folder on the way that lets this process not through.
    private var closedFolder: (path: String, mode: String)? {
        let path = patient.socket
        for slash in path.indices where path[slash] == "/" && slash != path.startIndex {
            let folder = String(path[..<slash])
            guard access(folder, X_OK) != 0, errno == EACCES else { continue }
            if case .found(let status) = FileStatus(folder) { return (folder, ": its mode is \(status.permissions)") }
            return (folder, "")
        }
        return nil
    }
}
