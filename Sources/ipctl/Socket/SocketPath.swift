import Glibc

/// Where the daemon is looked for.
struct SocketPath {
    let path: String

    /// That of the system's service.
    static let ofSystem = "/run/iprecord/control.sock"
    /// The kernel takes no more (unix(7), sun_path with its NUL).
    static let longestBytes = 107
    static let rule = "the path of a socket has at most \(longestBytes) bytes"

    /// - Parameter option: what --socket says.
    init(option: String?) {
        path = option ?? Self.variable("IPRECORD_SOCKET") ?? Self.ofUser ?? Self.ofSystem
    }

    private static var ofUser: String? {
        guard let folder = variable("XDG_RUNTIME_DIR") else { return nil }
        let path = folder + "/iprecord/control.sock"
        return access(path, F_OK) == 0 ? path : nil
    }

    /// An environment variable's value; nil for one that is not set or empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
