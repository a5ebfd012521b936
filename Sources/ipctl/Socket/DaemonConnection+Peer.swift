import Glibc

extension DaemonConnection {
    /// The process at the other end (unix(7), SO_PEERCRED); nil if the kernel does not report it.
    var peer: (process: pid_t, user: uid_t, group: gid_t)? {
        // A struct ucred, which is not available in Swift: pid, uid and gid of 32 bits each.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(MemoryLayout<UInt32>.stride * credentials.count)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, credentials[0] > 0 else {
            return nil
        }
        return (pid_t(credentials[0]), credentials[1], credentials[2])
    }
}
