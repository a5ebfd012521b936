import Glibc

extension CommandError {
    /// The error for a failed connection, with advice.
    ///
    /// - Parameters:
    ///   - path: the path of the daemon's socket.
    ///   - milliseconds: with `EAGAIN`, the time spent waiting for the daemon to accept the connection.
    init(unreachable path: String, errno number: Int32, afterMilliseconds milliseconds: Int64 = 0) {
        let reason = String(cString: strerror(number))
        switch number {
        case EACCES, EPERM:
            self.init(
                status: .notPermitted, message: "cannot open the socket \(path): \(reason)",
                advice: Self.advice(forClosedSocket: path))
        case EAGAIN:
            self.init(silent: path, afterMilliseconds: milliseconds, "accept the connection")
        case ENAMETOOLONG:
            self.init(status: .usage, message: "\(SocketPath.rule); this one has \(path.utf8.count): \(path)")
        case ECONNREFUSED, ENOTSOCK:
            // connect(2) fails in the same way for a file that is not a socket.
            var status = stat()
            let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFSOCK
            self =
                kind == S_IFSOCK
                ? CommandError(noDaemonAt: path, reason)
                : CommandError(
                    noDaemonAt: path, kind == S_IFDIR ? "it is a directory, not a socket" : "it is not a socket")
        default:
            self.init(noDaemonAt: path, reason)
        }
    }

    /// The error for a daemon that neither replies nor closes the connection.
    ///
    /// - Parameter verb: the action that the daemon did not complete.
    init(silent path: String, afterMilliseconds milliseconds: Int64, _ verb: String) {
        self.init(
            status: .tryLater,
            message: "the daemon at \(path) did not \(verb) within \(Times.exactSpan(milliseconds: milliseconds))",
            advice: "See systemctl status iprecordd, or run ipctl doctor.", isUnresponsive: true)
    }

    /// Returns advice for a user without permission to connect, according to the mode of the socket. The socket unit
    /// may set that mode on purpose.
    private static func advice(forClosedSocket path: String) -> String {
        guard case .found(let socket) = FileStatus(path) else {
            return "You have no access to a directory of the socket, whose mode should be 0755; ipctl doctor checks it."
        }
        let permissions = SocketPermissions(socket)
        guard permissions.excludeOthers else { return "To find the cause: ipctl doctor." }
        return "With its mode \(socket.permissions), only \(permissions.users) can connect. \(permissions.advice). "
            + "If all users should have access, see ipctl doctor."
    }

    private init(noDaemonAt path: String, _ reason: String) {
        self.init(
            status: .noDaemon, message: "cannot connect to the daemon at \(path): \(reason)",
            advice: "Start it with: systemctl start iprecordd. If it listens elsewhere, use --socket PATH or "
                + "IPRECORD_SOCKET=PATH.")
    }
}
