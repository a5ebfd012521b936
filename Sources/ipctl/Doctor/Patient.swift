import Glibc

/// The daemon that is looked at: where it should be found, where its files are, and how a person handles it.
struct Patient {
    let socket: String
    /// A service of the system's; else one that somebody runs.
    private(set) var isService: Bool
    /// Where its configuration should be; nil where nothing tells which one it reads.
    private(set) var configurationFile: String?
    /// The places that hold where the configuration does not say otherwise; nil likewise.
    private(set) var storePath: String?
    private(set) var watchDirectory: String?
    private(set) var usualSocket: String?
    /// Its process; nil where there is none, or it cannot be seen.
    private(set) var running: RunningDaemon?

    private static let systemConfiguration = "/etc/iprecord"
    private static let systemStore = "/var/lib/iprecord/records.db"

    /// What can be said of it by its socket alone.
    ///
    /// - Parameter variable: an environment variable's value; nil for one that is not set or empty.
    init(socket: String, variable: (String) -> String? = SocketPath.variable) {
        self.socket = socket
        let isUsers = socket == Self.userSocket(variable)
        let isSystems = socket == SocketPath.ofSystem || !isUsers && Self.isNamed(socket, in: Self.systemConfiguration)
        isService = !isUsers
        if isUsers { keepToUser(variable) }
        if isSystems { keepToSystem() }
    }

    /// What its process tells holds before what its socket does.
    mutating func learn(_ running: RunningDaemon) {
        self.running = running
        isService = running.isService
        switch running.places {
        case .configuration(let path):
            keepToSystem()
            configurationFile = path
        case .ofSystem: keepToSystem()
        case .ofUser(let environment): keepToUser { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }
        case nil: break
        }
    }

    private mutating func keepToSystem() {
        configurationFile = Self.systemConfiguration + "/iprecordd.toml"
        watchDirectory = Self.systemConfiguration + "/watch.d"
        storePath = Self.systemStore
        usualSocket = SocketPath.ofSystem
    }

    private mutating func keepToUser(_ variable: (String) -> String?) {
        let home = variable("HOME")
        func folder(_ name: String, _ fallback: String) -> String? {
            (variable(name) ?? home.map { $0 + fallback }).map { $0 + "/iprecord" }
        }
        let configuration = folder("XDG_CONFIG_HOME", "/.config")
        configurationFile = configuration.map { $0 + "/iprecordd.toml" }
        watchDirectory = configuration.map { $0 + "/watch.d" }
        storePath = folder("XDG_STATE_HOME", "/.local/state").map { $0 + "/records.db" }
        usualSocket = Self.userSocket(variable)
    }

    /// It is known where its configuration would be, and there is none.
    var hasNoConfiguration: Bool {
        guard let configurationFile else { return false }
        return access(configurationFile, F_OK) != 0 && errno == ENOENT
    }

    /// It was started with --config, and does not start without that file.
    var needsConfiguration: Bool {
        if case .configuration = running?.places { true } else { false }
    }

    /// Where else a daemon may listen: the usual places, and the one that the configuration names.
    static func otherSockets(than socket: String, variable: (String) -> String? = SocketPath.variable) -> [String] {
        [configuredSocket(in: systemConfiguration), userSocket(variable), SocketPath.ofSystem]
            .compactMap { $0 }.filter { $0 != socket }
    }

    private static func userSocket(_ variable: (String) -> String?) -> String? {
        variable("XDG_RUNTIME_DIR").map { $0 + "/iprecord/control.sock" }
    }

    private static func isNamed(_ socket: String, in folder: String) -> Bool {
        configuredSocket(in: folder) == socket
    }

    private static func configuredSocket(in folder: String) -> String? {
        // A configuration that cannot be read names no socket to whoever asks.
        (try? ConfigurationFile(path: folder + "/iprecordd.toml"))?["control", "socket"]
    }

    // MARK: How a person handles it

    var start: String { isService ? Self.asRoot("systemctl start iprecordd") : "iprecordd" }
    var restart: String {
        guard !isService else { return Self.asRoot("systemctl restart iprecordd") }
        guard let running else { return "end the daemon, and start it anew: iprecordd" }
        let command = running.command.map(\.shellWord).joined(separator: " ")
        return "end the daemon (kill \(running.process)), and start it anew: \(command)"
    }
    var stop: String {
        isService ? Self.asRoot("systemctl stop iprecordd") : running.map { "kill \($0.process)" } ?? "end the daemon"
    }
    var log: String {
        isService ? "journalctl -u iprecordd -e" : "look at what iprecordd prints, or journalctl -t iprecordd -e"
    }

    /// What sees what only root may look at.
    static let lookAsRoot = "Only root or the file's owner may look there: sudo ipctl doctor"

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
