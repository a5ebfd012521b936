import Glibc

/// A process as far as the permissions of files go (path_resolution(7), credentials(7)).
struct DaemonProcess: Hashable {
    let user: uid_t
    let groups: Set<gid_t>

    init(user: uid_t, groups: Set<gid_t>) {
        self.user = user
        self.groups = groups
    }

    /// The process that listens at a socket, with all of its groups as far as they can be seen.
    init(process: pid_t, user: uid_t, group: gid_t) {
        var groups: Set<gid_t> = [group]
        // A socket that the service manager opened tells of the service manager: its user is what counts here.
        if let file = fopen("/proc/\(process)/status", "re") {
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 65_536)
            while fgets(&line, Int32(line.count), file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                guard text.hasPrefix("Groups:") else { continue }
                groups.formUnion(text.split { $0 == " " || $0 == "\t" || $0 == "\n" }.compactMap { gid_t($0) })
            }
        }
        self.init(user: user, groups: groups)
    }

    /// A user by name, with the groups that the group database gives; nil where there is none.
    init?(userNamed name: String) {
        guard let entry = getpwnam(name) else { return nil }
        let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        var count: Int32 = 1_024
        var groups = [gid_t](repeating: 0, count: Int(count))
        guard getgrouplist(name, group, &groups, &count) >= 0 else { return nil }
        self.init(user: user, groups: Set(groups.prefix(Int(count))))
    }

    /// This process.
    static var own: DaemonProcess {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        return DaemonProcess(user: geteuid(), groups: Set(groups.prefix(Int(max(0, count)))).union([getegid()]))
    }

    /// Whether it may do with a file what `bits` of the last three of a mode say: 4 to read, 2 to write, 1 to pass through.
    ///
    /// Access control lists beyond the mode are not looked at.
    func may(_ bits: mode_t, _ file: stat) -> Bool {
        if user == 0 { return true }
        if file.st_uid == user { return file.st_mode >> 6 & bits == bits }
        if groups.contains(file.st_gid) { return file.st_mode >> 3 & bits == bits }
        return file.st_mode & bits == bits
    }
}

/// What stat(2) says of a path, or its errno.
enum FileStatus {
    case found(stat)
    case missing(errno: Int32)

    init(_ path: String) {
        var status = stat()
        self = stat(path, &status) == 0 ? .found(status) : .missing(errno: errno)
    }
}

extension stat {
    /// The permissions as chmod(1) takes them: "0640".
    var permissions: String {
        let text = String(st_mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }
}

/// What an errno means.
func meaning(of errno: Int32) -> String { String(cString: strerror(errno)) }
