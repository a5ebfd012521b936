import CLinux
import Glibc

/// A Unix socket that listens: one that the service manager opened, or one of our own at a path.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// The file to remove at the end; nil for a socket that the service manager keeps.
    let path: String?

    /// Takes over a socket that the service manager opened.
    init(activated descriptor: Int32) throws(SystemError) {
        self.descriptor = descriptor
        path = nil
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw SystemError("take over socket \(descriptor) of the service manager", errno: errno)
        }
        // The kernel tells clients who has called it last: them the daemon's pid and user are of use, and not the manager's.
        guard listen(descriptor, SOMAXCONN) == 0 else {
            throw SystemError("listen at socket \(descriptor) of the service manager", errno: errno)
        }
        try Self.refuseDescriptors(at: descriptor)
    }

    /// Opens one at `path`, for everybody to connect to, whatever the umask.
    ///
    /// A socket file that nobody listens at is replaced; one that somebody listens at ends this process, with the other's pid.
    ///
    /// - Parameter refusesDescriptors: false makes the socket receive descriptors, as on a kernel that cannot refuse
    ///   them; for tests.
    init(path: String, refusesDescriptors: Bool = true) throws(SystemError) {
        guard var address = Self.address(of: path) else {
            throw SystemError(
                "listen at \(path)", errno: ENAMETOOLONG, advice: "a socket's path has at most 107 bytes (unix(7))")
        }
        try Self.removeStale(path, &address)
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw SystemError("open a socket", errno: errno) }
        do throws(SystemError) {
            if refusesDescriptors { try Self.refuseDescriptors(at: descriptor) }
            try Self.withGeneric(&address) { (pointer, length) throws(SystemError) in
                guard bind(descriptor, pointer, length) == 0 else {
                    throw SystemError(
                        "listen at \(path)", errno: errno,
                        advice: "the folder must be there and writable for the daemon")
                }
            }
            // Reading is open to everybody, and changing is checked by the peer's credentials.
            // Not that of a link which somebody has put there since.
            guard fchmodat(AT_FDCWD, path, 0o666, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw SystemError("set the mode of \(path)", errno: errno)
            }
            guard listen(descriptor, SOMAXCONN) == 0 else { throw SystemError("listen at \(path)", errno: errno) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    /// Where clients find it, as unix(7) has it; "@" begins an abstract name.
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

    /// Nobody else finds it from now on; who has connected already can still be taken. One that the service manager keeps
    /// stays where it is: who connects there is for the next instance.
    func hide() {
        if let path { unlink(path) }
    }

    func remove() {
        hide()
        close(descriptor)
    }

    /// Makes the kernel refuse descriptors on connections made from now on, if the kernel is new enough.
    private static func refuseDescriptors(at descriptor: Int32) throws(SystemError) {
        guard clinux_refuse_descriptors(descriptor) == 0 || errno == ENOPROTOOPT else {
            throw SystemError("refuse descriptors at socket \(descriptor)", errno: errno)
        }
    }

    private static func removeStale(_ path: String, _ address: inout sockaddr_un) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError("listen at \(path)", errno: EEXIST, advice: "what is there is no socket; move it away")
        }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let probe = socket(AF_UNIX, type, 0)
        guard probe >= 0 else { throw SystemError("open a socket", errno: errno) }
        defer { close(probe) }
        // EAGAIN: somebody listens, and is so far behind that no more connections may wait (connect(2)).
        let isTaken = withGeneric(&address) { connect(probe, $0, $1) == 0 || errno == EAGAIN }
        guard !isTaken else {
            var peer = clinux_peer()
            // There is no peer where no connection could be made.
            let isKnown = clinux_peer_credentials(probe, &peer) == 0 && peer.process > 0
            let who = isKnown ? "pid \(peer.process)" : "another process"
            let advice =
                isKnown && peer.process == 1
                ? "the service manager listens there already (systemctl list-sockets)" : "\(who) listens there already"
            throw SystemError("listen at \(path)", errno: EADDRINUSE, advice: advice)
        }
        guard errno == ECONNREFUSED || errno == ENOENT else {
            throw SystemError("find out who listens at \(path)", errno: errno)
        }
        unlink(path)
    }

    private static func address(of path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        return withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count, !bytes.contains(0) else { return nil }
            room.copyBytes(from: bytes)
            return true
        } == true ? address : nil
    }

    private static func withGeneric<Result, Failure: Error>(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        return try withUnsafePointer(to: &address) { (pointer) throws(Failure) in
            // A sockaddr_un begins like every sockaddr, and connect(2) and bind(2) read no more than `length`.
            let generic = UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return try body(generic, length)
        }
    }
}
