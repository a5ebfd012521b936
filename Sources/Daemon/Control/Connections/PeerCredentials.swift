import CLinux
import Glibc

/// The user and the groups of a connected client, which decide whether it is an administrator.
struct PeerCredentials: Hashable, Sendable {
    let user: uid_t
    let groups: Set<gid_t>

    /// Reads the credentials from the kernel, as they were when the client connected (unix(7), SO_PEERCRED and
    /// SO_PEERGROUPS). If the supplementary groups cannot be read, only the primary group counts.
    ///
    /// - Returns: nil if the kernel does not report the peer.
    init?(of descriptor: Int32) {
        var peer = clinux_peer()
        guard clinux_peer_credentials(descriptor, &peer) == 0 else { return nil }
        user = peer.user
        var count = 64
        var list = [gid_t](repeating: 0, count: count)
        var result = clinux_peer_groups(descriptor, &list, &count)
        if result != 0, errno == ERANGE {
            list = [gid_t](repeating: 0, count: count)
            result = clinux_peer_groups(descriptor, &list, &count)
        }
        groups = Set(result == 0 ? list.prefix(count) : []).union([peer.group])
    }

    /// Whether the client is root, the daemon's own user, or a member of the administrators' group.
    func isAdministrator(group: gid_t?) -> Bool {
        user == 0 || user == geteuid() || group.map { groups.contains($0) } ?? false
    }

    /// Returns the id of a group; nil if there is no group of that name.
    ///
    /// - Throws: if the group database cannot be read, for example because a directory service is down.
    static func group(named name: String) throws(SystemError) -> gid_t? {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var room = [CChar](repeating: 0, count: 16_384)
        while true {
            switch getgrnam_r(name, &entry, &room, room.count, &found) {
            // If the group does not exist, the result is 0 or one of these errors (getgrnam(3), ERRORS).
            case 0, ENOENT, ESRCH, EBADF, EPERM: return found?.pointee.gr_gid
            case ERANGE where room.count < 16_777_216: room = [CChar](repeating: 0, count: room.count * 4)
            case let number: throw SystemError("look up the group \(name)", errno: number)
            }
        }
    }
}
