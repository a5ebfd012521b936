import Glibc

/// The limit of open descriptors of this process.
package enum DescriptorLimit {
    /// Raises the limit to its maximum, for a server that needs a descriptor for each client. The usual limit of 1,024
    /// is meant for programs that use select(2) (getrlimit(2); systemd.exec(5), `LimitNOFILE=`).
    ///
    /// - Returns: a description of the failure; nil if the limit is at its maximum.
    package static func raise() -> String? {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return nil }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(resource, &limit) != 0 else { return nil }
        return "cannot raise the file descriptor limit of \(before): \(String(cString: strerror(errno)))"
    }
}
