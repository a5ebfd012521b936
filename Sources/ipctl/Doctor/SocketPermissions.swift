import Glibc

/// The users who can connect to a socket whose mode excludes others. Connecting needs write permission (unix(7)).
struct SocketPermissions {
    let mode: mode_t
    /// The name of the socket's owner.
    let owner: String
    /// The name of the socket's group; nil if it has no name, or if it is root's own group, which users do not join.
    let group: String?

    /// Whether the mode excludes users other than the owner and the group.
    var excludeOthers: Bool { mode & 0o002 == 0 }

    /// The users who can connect, as text.
    var users: String {
        var names = ["root"]
        if owner != "root", mode & 0o200 != 0 { names.append(owner) }
        if let joinableGroup { names.append("members of the group \(joinableGroup)") }
        return names.joined(separator: " and ")
    }

    /// The advice for a user who cannot connect.
    var advice: String {
        guard let joinableGroup else { return "Use sudo" }
        return "Use sudo, or join the group and log in again: sudo usermod -aG \(joinableGroup.shellWord) $USER"
    }

    private var joinableGroup: String? { mode & 0o020 == 0 ? nil : group }
}

extension SocketPermissions {
    init(_ socket: stat) {
        // ipctl runs one command on one thread, so the static buffer of getgrgid(3) is not shared.
        let group = socket.st_gid == 0 ? nil : getgrgid(socket.st_gid).map { String(cString: $0.pointee.gr_name) }
        let owner = socket.st_uid == 0 ? "root" : UserName(of: socket.st_uid).description
        self.init(mode: socket.st_mode, owner: owner, group: group)
    }
}
