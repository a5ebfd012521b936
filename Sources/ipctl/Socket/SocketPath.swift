import Glibc

/// Where the daemon is looked for.
struct SocketPath {
    let path: String

    /// - Parameter option: what --socket says.
    init(option: String?) {
        path = option ?? Self.variable("IPRECORD_SOCKET") ?? Self.ofUser ?? "/run/iprecord/control.sock"
    }

    private static var ofUser: String? {
        guard let folder = variable("XDG_RUNTIME_DIR") else { return nil }
        let path = folder + "/iprecord/control.sock"
        return access(path, F_OK) == 0 ? path : nil
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
