import CLinux
import Glibc

/// A listening Unix socket: one that the service manager opened, or one that the daemon created at a path.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// The file to remove on shutdown; nil for a socket that the service manager keeps.
    let path: String?

    /// Adopts a socket that the service manager opened.
    init(activated descriptor: Int32) throws(SystemError) {
        self.descriptor = descriptor
        path = nil
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw SystemError("configure socket \(descriptor) of the service manager", errno: errno)
        }
        // The kernel reports the process that called listen(2) last as the peer. Clients need the daemon's pid and user
        // there, not those of the service manager.
        guard listen(descriptor, SOMAXCONN) == 0 else {
            throw SystemError("listen on socket \(descriptor) of the service manager", errno: errno)
        }
        try Self.refuseDescriptors(at: descriptor)
    }

    /// Creates a socket at `path` to which every user can connect, regardless of the umask. A socket file without a
    /// listener is replaced.
    ///
    /// - Parameter refusesDescriptors: false makes the socket receive descriptors, as on a kernel that cannot refuse
    ///   them; for tests.
    /// - Throws: if another process is listening on `path`; the error names its pid, if it is known.
    init(path: String, refusesDescriptors: Bool = true) throws(SystemError) {
        guard var address = Self.address(of: path) else {
            throw SystemError(
                "listen on \(path)", errno: ENAMETOOLONG,
                advice: "a socket path can be at most 107 bytes long (unix(7))")
        }
        try Self.removeStale(path, &address)
        let descriptor = socket(AF_UNIX, Self.type, 0)
        guard descriptor >= 0 else { throw SystemError("open a socket", errno: errno) }
        do throws(SystemError) {
            if refusesDescriptors { try Self.refuseDescriptors(at: descriptor) }
            try Self.withGeneric(&address) { (pointer, length) throws(SystemError) in
                guard bind(descriptor, pointer, length) == 0 else {
                    throw SystemError(
                        "listen on \(path)", errno: errno,
                        advice: "the directory must exist and be writable by the daemon")
                }
            }
            // Every user may read; administrators are recognized by their credentials. If the file was replaced by a
            // symbolic link meanwhile, the mode of its target must not change.
            guard fchmodat(AT_FDCWD, path, 0o666, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw SystemError("set the mode of \(path)", errno: errno)
            }
            guard listen(descriptor, SOMAXCONN) == 0 else { throw SystemError("listen on \(path)", errno: errno) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    /// The address to which clients connect, in the notation of unix(7): a path, or "@" and an abstract name.
    var name: String {
        if let path { return path }
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            getsockname(descriptor, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard result == 0 else { return "socket \(descriptor)" }
        let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0.prefix(Int(length) - 2)) }
        let isAbstract = bytes.first == 0
        return (isAbstract ? "@" : "") + String(decoding: bytes.drop { $0 == 0 }.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Removes the socket file, so that no new client connects; waiting connections can still be accepted. A socket
    /// of the service manager stays, and new connections wait there for the next instance.
    func hide() {
        if let path { unlink(path) }
    }

    /// Makes the kernel refuse descriptors on connections made from now on, if the kernel is new enough.
    private static func refuseDescriptors(at descriptor: Int32) throws(SystemError) {
        guard clinux_refuse_descriptors(descriptor) == 0 || errno == ENOPROTOOPT else {
            throw SystemError("disable file descriptor passing on socket \(descriptor)", errno: errno)
        }
    }

    private static let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    private static func removeStale(_ path: String, _ address: inout sockaddr_un) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError("listen on \(path)", errno: EEXIST, advice: "the file is not a socket; move it away")
        }
        let probe = socket(AF_UNIX, type, 0)
        guard probe >= 0 else { throw SystemError("open a socket", errno: errno) }
        defer { close(probe) }
        // EAGAIN: a process is listening, but its backlog is full (connect(2)).
        let isTaken = withGeneric(&address) { connect(probe, $0, $1) == 0 || errno == EAGAIN }
        guard !isTaken else {
            var peer = clinux_peer()
            // Without a connection there is no peer.
            let isKnown = clinux_peer_credentials(probe, &peer) == 0 && peer.process > 0
            let listener = isKnown ? "pid \(peer.process)" : "another process"
            let advice =
                isKnown && peer.process == 1
                ? "the service manager is already listening on it (systemctl list-sockets)"
                : "\(listener) is already listening on it"
            throw SystemError("listen on \(path)", errno: EADDRINUSE, advice: advice)
        }
        guard errno == ECONNREFUSED || errno == ENOENT else {
            throw SystemError("check whether another process is listening on \(path)", errno: errno)
        }
        unlink(path)
    }

    private static func address(of path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    private static func withGeneric<Result, Failure: Error>(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        return try withUnsafePointer(to: &address) { (pointer) throws(Failure) in
            // A sockaddr_un begins like every sockaddr, and connect(2) and bind(2) read no more than `length` bytes.
            let generic = UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return try body(generic, length)
        }
    }
}
