import Glibc

/// The path of the daemon's socket.
struct SocketPath {
    let path: String

    /// The path of the system service's socket.
    static let system = "/run/iprecord/control.sock"
    /// The kernel's maximum length (unix(7), sun_path with its NUL).
    static let maxBytes = 107
    static let rule = "a socket path can be at most \(maxBytes) bytes long"

    /// - Parameter option: the value of `--socket`; nil if it is not given.
    init(option: String?) {
        path = option ?? Self.variable("IPRECORD_SOCKET") ?? Self.user ?? Self.system
    }

    private static var user: String? {
        guard let directory = variable("XDG_RUNTIME_DIR") else { return nil }
        let path = directory + "/iprecord/control.sock"
        return access(path, F_OK) == 0 ? path : nil
    }

    /// Returns the value of an environment variable; nil if it is unset or empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
