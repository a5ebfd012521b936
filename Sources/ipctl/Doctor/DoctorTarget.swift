import Glibc

/// The daemon that the doctor checks: its socket, its files, and the commands to control it.
struct DoctorTarget {
    let socket: String
    /// Whether the daemon is the system service, not a daemon started by a user.
    private(set) var isService: Bool
    /// The configuration that the daemon reads; nil if it is unknown.
    private(set) var source: CheckedConfiguration.Source?
    /// The path of that configuration as iprecordd reports it; nil if it reports none.
    var reportedFile: String?
    /// The path of that configuration; nil if it is unknown.
    var configurationFile: String? {
        if case .file(let path) = source { path } else { reportedFile }
    }
    /// The daemon's process; nil if there is none, or if it cannot be inspected.
    private(set) var running: RunningDaemon?

    /// Whether the configuration has errors, so that the daemon cannot start at all.
    var cannotStart = false

    /// The configuration of the service.
    static let systemConfiguration = "/etc/iprecord/iprecordd.toml"

    /// Derives the configuration from the socket alone.
    ///
    /// - Parameters:
    ///   - variable: returns the value of an environment variable; nil if it is unset or empty.
    ///   - configuredSocket: the socket in the configuration of the service; nil if it is unknown.
    init(
        socket: String, variable: (String) -> String? = SocketPath.variable,
        configuredSocket: @autoclosure () -> String? = nil
    ) {
        self.socket = socket
        let isUserSocket = socket == Self.userSocket(variable)
        isService = !isUserSocket
        if isUserSocket {
            source = .user(CheckedConfiguration.Source.environment(variable))
        } else if socket == SocketPath.system || socket == configuredSocket() {
            source = .file(Self.systemConfiguration)
        }
    }

    /// Replaces the configuration with that of the running process.
    mutating func apply(_ running: RunningDaemon) {
        self.running = running
        isService = running.isService
        if let source = running.source { self.source = source }
    }

    /// Whether the daemon runs as another user, which may have access to other files.
    var runsAsOtherUser: Bool { running.map { $0.user != geteuid() } ?? false }

    /// Whether the daemon was started with --config, and cannot start without that file.
    var needsConfiguration: Bool {
        if case .file = running?.source { true } else { false }
    }

    /// Returns other sockets on which a daemon may be listening: the default sockets and the configured socket.
    static func otherSockets(
        than socket: String, configured: String?, variable: (String) -> String? = SocketPath.variable
    ) -> [String] {
        [configured, userSocket(variable), SocketPath.system].compactMap { $0 }.filter { $0 != socket }
    }

    private static func userSocket(_ variable: (String) -> String?) -> String? {
        variable("XDG_RUNTIME_DIR").map { $0 + "/iprecord/control.sock" }
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

    /// The target of the symbolic link at the path; nil if it cannot be read.
    var linkTarget: String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(self, &target, target.count)
        guard count > 0 else { return nil }
        return String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
