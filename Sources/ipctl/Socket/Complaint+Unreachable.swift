import Glibc

extension Complaint {
    /// Why no connection came about, and what to do about it.
    ///
    /// - Parameter path: of the daemon's socket.
    init(unreachable path: String, errno number: Int32) {
        let reason = String(cString: strerror(number))
        switch number {
        case EACCES, EPERM:
            self.init(
                status: .notPermitted, message: "you may not open the socket \(path): \(reason)",
                advice: "Its mode should be 0666, and that of its folder 0755; ipctl doctor looks at them.")
        case ENAMETOOLONG:
            self.init(status: .usage, message: "\(SocketPath.rule): this has \(path.utf8.count): \(path)")
        case ECONNREFUSED, ENOTSOCK:
            // A file of another kind refuses as a socket does that nobody listens at.
            var status = stat()
            let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFSOCK
            self =
                kind == S_IFSOCK
                ? Complaint(noDaemonAt: path, reason)
                : Complaint(noDaemonAt: path, kind == S_IFDIR ? "it is a folder and no socket" : "it is no socket")
        default:
            self.init(noDaemonAt: path, reason)
        }
    }

    private init(noDaemonAt path: String, _ reason: String) {
        self.init(
            status: .noDaemon, message: "no daemon answers at \(path): \(reason)",
            advice: "Start it with: systemctl start iprecordd. If it listens elsewhere, say where: --socket PATH or "
                + "IPRECORD_SOCKET=PATH.")
    }
}
