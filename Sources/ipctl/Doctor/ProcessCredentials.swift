import Files
import Glibc

/// The credentials of a process that determine its access to files (path_resolution(7), credentials(7)).
struct ProcessCredentials: Hashable {
    let user: uid_t
    let groups: Set<gid_t>
}

extension ProcessCredentials {
    /// The credentials of the process that is listening on a socket, with its supplementary groups if they can be read.
    init(process: pid_t, user: uid_t, group: gid_t) {
        var groups: Set<gid_t> = [group]
        // If the service manager opened the socket, the process is the service manager, and its user is sufficient
        // here.
        if let status = try? WholeFile.bytes(at: "/proc/\(process)/status") {
            let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
            let words = lines.first { $0.hasPrefix("Groups:") }?.split(whereSeparator: \.isWhitespace) ?? []
            groups.formUnion(words.compactMap { gid_t($0) })
        }
        self.init(user: user, groups: groups)
    }

    /// The credentials of a user, with the groups from the group database; nil if the user does not exist.
    init?(userNamed name: String) {
        guard let entry = getpwnam(name) else { return nil }
        let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        var count: Int32 = 1_024
        var groups = [gid_t](repeating: 0, count: Int(count))
        guard getgrouplist(name, group, &groups, &count) >= 0 else { return nil }
        self.init(user: user, groups: Set(groups.prefix(Int(count))))
    }

    /// The credentials of this process.
    static var own: ProcessCredentials {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        return ProcessCredentials(user: geteuid(), groups: Set(groups.prefix(Int(max(0, count)))).union([getegid()]))
    }

    /// Whether the process has the permissions `bits` for a file: 4 to read, 2 to write, 1 to search.
    ///
    /// Access control lists are not considered.
    func hasPermission(_ bits: mode_t, _ file: stat) -> Bool {
        if user == 0 { return true }
        if file.st_uid == user { return file.st_mode >> 6 & bits == bits }
        if groups.contains(file.st_gid) { return file.st_mode >> 3 & bits == bits }
        return file.st_mode & bits == bits
    }
}

/// The result of stat(2) for a path.
enum FileStatus {
    case found(stat)
    case missing(errno: Int32)

    init(_ path: String) {
        var status = stat()
        self = stat(path, &status) == 0 ? .found(status) : .missing(errno: errno)
    }
}

extension stat {
    /// The permissions in octal, as in chmod(1): "0640".
    var permissions: String {
        let text = String(st_mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }
}

/// Returns the message of an errno value.
func meaning(of errno: Int32) -> String { String(cString: strerror(errno)) }
