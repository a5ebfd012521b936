import Glibc

/// The user that the system service runs as: `User=` of iprecordd.service.
enum ServiceAccount {
    static let name = "iprecord"

    /// The id of the user; nil if there is no such user.
    static var user: uid_t? { getpwnam(name)?.pointee.pw_uid }

    /// Replaces root's permissions with those of the service, for a process that only inspects files and then exits.
    ///
    /// - Returns: false if there is no such user, or if this process may not change users (setuid(2)).
    static func assume() -> Bool {
        guard let entry = getpwnam(name) else { return false }
        let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        // The order matters: the last call drops the permission that the others need.
        return initgroups(name, group) == 0 && setgid(group) == 0 && setuid(user) == 0
    }
}
