import Glibc

/// The daemon that the doctor checks: its socket, its files, and the commands to control it.
struct DoctorTarget {
    let socket: String
    /// Whether the daemon is the system service, not a daemon started by a user.
    private(set) var isService: Bool
    /// The path of the daemon's configuration; nil if it is unknown.
    private(set) var configurationFile: String?
    /// The default paths for keys that the configuration does not set; nil if they are unknown.
    private(set) var storePath: String?
    private(set) var watchDirectory: String?
    private(set) var defaultSocket: String?
    /// The daemon's process; nil if there is none, or if it cannot be inspected.
    private(set) var running: RunningDaemon?

    /// Whether the configuration has errors, so that the daemon cannot start at all.
    var cannotStart = false

    private static let systemConfiguration = "/etc/iprecord"
    private static let systemStore = "/var/lib/iprecord/records.db"

    /// Derives the paths from the socket alone.
    ///
    /// - Parameter variable: returns the value of an environment variable; nil if it is unset or empty.
    init(socket: String, variable: (String) -> String? = SocketPath.variable) {
        self.socket = socket
        let isUserSocket = socket == Self.userSocket(variable)
        let isSystemSocket =
            socket == SocketPath.system || !isUserSocket && Self.isNamed(socket, in: Self.systemConfiguration)
        isService = !isUserSocket
        if isUserSocket { useUserPaths(variable) }
        if isSystemSocket { useSystemPaths() }
    }

    /// Replaces the paths with those of the running process.
    mutating func apply(_ running: RunningDaemon) {
        self.running = running
        isService = running.isService
        switch running.paths {
        case .configuration(let path):
            useSystemPaths()
            configurationFile = path
        case .system: useSystemPaths()
        case .user(let environment): useUserPaths { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }
        case nil: break
        }
    }

    private mutating func useSystemPaths() {
        configurationFile = Self.systemConfiguration + "/iprecordd.toml"
        watchDirectory = Self.systemConfiguration + "/watch.d"
        storePath = Self.systemStore
        defaultSocket = SocketPath.system
    }

    private mutating func useUserPaths(_ variable: (String) -> String?) {
        let home = variable("HOME")
        func directory(_ name: String, _ fallback: String) -> String? {
            (variable(name) ?? home.map { $0 + fallback }).map { $0 + "/iprecord" }
        }
        let configuration = directory("XDG_CONFIG_HOME", "/.config")
        configurationFile = configuration.map { $0 + "/iprecordd.toml" }
        watchDirectory = configuration.map { $0 + "/watch.d" }
        storePath = directory("XDG_STATE_HOME", "/.local/state").map { $0 + "/records.db" }
        defaultSocket = Self.userSocket(variable)
    }

    /// Whether the path of the configuration is known, and the file does not exist.
    var hasNoConfiguration: Bool {
        guard let configurationFile else { return false }
        return access(configurationFile, F_OK) != 0 && errno == ENOENT
    }

    /// Whether the daemon runs as another user, which may have access to other files.
    var runsAsOtherUser: Bool { running.map { $0.user != geteuid() } ?? false }

    /// Whether the daemon was started with --config, and cannot start without that file.
    var needsConfiguration: Bool {
        if case .configuration = running?.paths { true } else { false }
    }

    /// Returns other sockets on which a daemon may be listening: the default sockets and the configured socket.
    static func otherSockets(than socket: String, variable: (String) -> String? = SocketPath.variable) -> [String] {
        [configuredSocket(in: systemConfiguration), userSocket(variable), SocketPath.system]
            .compactMap { $0 }.filter { $0 != socket }
    }

    private static func userSocket(_ variable: (String) -> String?) -> String? {
        variable("XDG_RUNTIME_DIR").map { $0 + "/iprecord/control.sock" }
    }

    private static func isNamed(_ socket: String, in directory: String) -> Bool {
        configuredSocket(in: directory) == socket
    }

    private static func configuredSocket(in directory: String) -> String? {
        // A configuration that cannot be read is treated like a configuration without a socket.
        (try? ConfigurationFile(path: directory + "/iprecordd.toml"))?["control", "socket"]
    }

    // MARK: Commands

    var start: String {
        if cannotStart { return "Fix the configuration first, see above" }
        return isService ? Self.asRoot("systemctl start iprecordd") : "iprecordd"
    }
    var restart: String {
        guard !isService else { return Self.asRoot("systemctl restart iprecordd") }
        guard let running else { return "stop the daemon, and start it again: iprecordd" }
        let command = running.command.map(\.shellWord).joined(separator: " ")
        return "stop the daemon (kill \(running.process)), and start it again: \(command)"
    }
    var stop: String {
        isService ? Self.asRoot("systemctl stop iprecordd") : running.map { "kill \($0.process)" } ?? "stop the daemon"
    }
    var log: String {
        isService ? "journalctl -u iprecordd -e" : "see the output of iprecordd, or journalctl -t iprecordd -e"
    }

    /// The remedy for a check that only root or the owner can perform.
    static let rootRemedy = "Only root or the owner can check this: sudo ipctl doctor"

    /// Returns instructions to set a line of the configuration.
    func instructionsToSet(_ line: String) -> String {
        "In \(configurationFile ?? "the daemon's configuration"): \(line). Then: \(restart)"
    }

    /// Returns a command that needs root, with sudo for other users.
    static func asRoot(_ command: String) -> String { geteuid() == 0 ? command : "sudo \(command)" }
}

extension String {
    /// The text quoted as one word for a shell.
    var shellWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy { Self.plain.contains($0) }
        return isPlain ? self : "'\(replacing("'", with: #"'\''"#))'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:,@%".utf8)

    /// The parent directory of the path.
    var directory: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
