import Glibc

/// The daemon that is looked at: where it should be found, where its files are, and how a person handles it.
struct Patient {
    let socket: String
    /// A service of the system's; else one that a user runs.
    let isService: Bool
    /// Where its configuration should be; nil where the socket does not tell which one it reads.
    let configurationFile: String?
    /// The folders that hold where the configuration does not say otherwise; nil likewise.
    let storePath: String?
    let watchDirectory: String?

    private static let systemConfiguration = "/etc/iprecord"

    /// - Parameter variable: an environment variable's value; nil for one that is not set or empty.
    init(socket: String, variable: (String) -> String? = SocketPath.variable) {
        self.socket = socket
        let home = variable("HOME")
        func folder(_ name: String, _ fallback: String) -> String? {
            (variable(name) ?? home.map { $0 + fallback }).map { $0 + "/iprecord" }
        }
        let userSocket = variable("XDG_RUNTIME_DIR").map { $0 + "/iprecord/control.sock" }
        let isUsers = socket == userSocket
        let isSystems = socket == SocketPath.ofSystem || !isUsers && Self.isNamed(socket, in: Self.systemConfiguration)
        isService = !isUsers
        let configuration = isUsers ? folder("XDG_CONFIG_HOME", "/.config") : isSystems ? Self.systemConfiguration : nil
        configurationFile = configuration.map { $0 + "/iprecordd.toml" }
        watchDirectory = configuration.map { $0 + "/watch.d" }
        let state = isUsers ? folder("XDG_STATE_HOME", "/.local/state") : isSystems ? "/var/lib/iprecord" : nil
        storePath = state.map { $0 + "/records.db" }
    }

    /// It is known where its configuration would be, and there is none.
    var hasNoConfiguration: Bool {
        guard let configurationFile else { return false }
        return access(configurationFile, F_OK) != 0 && errno == ENOENT
    }

    /// Where else a daemon may listen: the usual places, and the one that the configuration names.
    static func otherSockets(than socket: String, variable: (String) -> String? = SocketPath.variable) -> [String] {
        let users = variable("XDG_RUNTIME_DIR").map { $0 + "/iprecord/control.sock" }
        let configured = ConfigurationFile(path: systemConfiguration + "/iprecordd.toml")?["control", "socket"]
        return [configured, users, SocketPath.ofSystem].compactMap { $0 }.filter { $0 != socket }
    }

    private static func isNamed(_ socket: String, in folder: String) -> Bool {
        ConfigurationFile(path: folder + "/iprecordd.toml")?["control", "socket"] == socket
    }

    // MARK: How a person handles it

    var start: String { isService ? Self.asRoot("systemctl start iprecordd") : "iprecordd" }
    var restart: String {
        isService ? Self.asRoot("systemctl restart iprecordd") : "end the daemon, and start it anew: iprecordd"
    }
    var log: String {
        isService ? "journalctl -u iprecordd -e" : "look at what iprecordd prints, or journalctl -t iprecordd -e"
    }

    /// How a line of the configuration comes into force.
    func toSet(_ line: String) -> String {
        "In \(configurationFile ?? "the daemon's configuration"): \(line). Then: \(restart)"
    }

    /// A command that only root may run.
    static func asRoot(_ command: String) -> String { geteuid() == 0 ? command : "sudo \(command)" }
}

extension String {
    /// This as one word of a shell's command line.
    var shellWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy { Self.plain.contains($0) }
        return isPlain ? self : "'\(replacing("'", with: #"'\''"#))'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:,@%".utf8)

    /// The folder that a path's last part is in.
    var folder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
