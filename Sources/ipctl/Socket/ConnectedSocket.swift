import Glibc

/// A descriptor that is connected to the daemon's socket.
enum ConnectedSocket {
    /// Connects, and waits for a free place in the daemon's backlog.
    ///
    /// - Throws: `EAGAIN` if the backlog is still full at the end of the wait.
    static func descriptor(path: String, until end: Deadline?) throws(DaemonConnection.Unreachable) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw DaemonConnection.Unreachable(errno: errno) }
        while true {
            if let end { bound(descriptor, milliseconds: end.remaining) }
            if connect(descriptor, to: path) { return descriptor }
            let number = errno
            // A signal that does not end the program does not end the wait either.
            if number == EINTR, end?.isOver != true { continue }
            close(descriptor)
            let isOver = number == EINTR || number == EAGAIN
            throw DaemonConnection.Unreachable(
                errno: isOver ? EAGAIN : number, waitedMilliseconds: end?.spanMilliseconds ?? 0)
        }
    }

    /// Limits the duration of connect(2), to which the timeout for sending applies (socket(7), SO_SNDTIMEO).
    private static func bound(_ descriptor: Int32, milliseconds: Int32) {
        // Zero would mean that there is no limit.
        let milliseconds = max(1, Int(milliseconds))
        var limit = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        // The call fails only for a descriptor that is not a socket.
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func connect(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard fits else {
            errno = ENAMETOOLONG
            return false
        }
        return withUnsafePointer(to: &address) { pointer in
            // The layout of a sockaddr_un begins like that of every sockaddr, and connect(2) reads only the given
            // length.
            let generic = UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return Glibc.connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
}
