import Control
import Glibc
import Varlink

/// The daemon's configuration and watch lists, as `iprecordd --check --json` reports them.
enum CheckedConfiguration {
    case report(CheckReport)
    /// It is unknown which configuration the daemon reads.
    case unknown
    /// iprecordd is not installed.
    case notInstalled
    /// The command did not print a report.
    case failed(command: String, reason: String)

    /// The configuration that a daemon reads.
    enum Source: Hashable {
        /// The argument of --config.
        case file(String)
        /// The system's default paths, used by a daemon that root started without --config.
        case system
        /// The default paths of a user, with the user's environment.
        case user([String: String])

        /// The variables that determine a user's paths.
        private static let variables = ["HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"]

        /// - Parameter variable: returns the value of a variable; nil if it is unset or empty.
        static func environment(_ variable: (String) -> String?) -> [String: String] {
            Dictionary(uniqueKeysWithValues: variables.compactMap { name in variable(name).map { (name, $0) } })
        }

        /// Returns the command, for a shell, that prints the report.
        func command(_ program: String) -> String {
            let check = "\(program.shellWord) --check --json"
            switch self {
            case .file(let path): return "\(check) --config \(path.shellWord)"
            case .system: return check
            case .user(let environment):
                let others = Self.variables.filter { environment[$0] == nil }.map { "-u \($0)" }
                let settings = environment.sorted { $0.key < $1.key }.map { "\($0)=\($1.shellWord)" }
                return "env \((others + settings).joined(separator: " ")) \(check) --user-directories"
            }
        }
    }

    /// Runs iprecordd to read a configuration.
    ///
    /// - Parameter program: the path of iprecordd; nil if it is not installed.
    static func read(_ source: Source?, program: String? = installedProgram) -> CheckedConfiguration {
        guard let source else { return .unknown }
        guard let program else { return .notInstalled }
        let command = source.command(program)
        guard let output = output(of: command) else { return .failed(command: command, reason: meaning(of: errno)) }
        do {
            return .report(try Wire.decode(CheckReport.self, from: output))
        } catch {
            return .failed(command: command, reason: "it printed no report; it may be a different version")
        }
    }

    /// The report; nil if there is none.
    var report: CheckReport? {
        if case .report(let report) = self { report } else { nil }
    }

    /// Returns a setting, or nil if it is unknown.
    func setting<Value>(_ setting: KeyPath<CheckReport.Settings, Value>, of key: String) -> Value? {
        report?.setting(setting, of: key)
    }

    /// The reason why a setting is unknown.
    var unknownReason: String {
        switch self {
        case .unknown: "not checked: cannot tell which configuration the daemon reads"
        case .notInstalled: "not checked: iprecordd was not found"
        case .failed(let command, _): "not checked: \(command) failed"
        case .report(let report) where report.configuration.isEmpty:
            "not checked: \(report.problems.map(\.message).joined(separator: "; "))"
        case .report(let report) where report.file == .unreadable:
            "not checked: you cannot read \(report.configuration)"
        case .report(let report): "not checked: \(report.configuration) has errors"
        }
    }

    /// The socket in the configuration of the service; nil if the configuration has none, or cannot be read.
    static var socketOfService: String? {
        let path = DoctorTarget.systemConfiguration
        guard access(path, R_OK) == 0 else { return nil }
        return read(.file(path)).setting(\.socket, of: "control.socket")
    }

    /// Returns the standard output of a command; nil if the command cannot be started, with the reason in `errno`.
    private static func output(of command: String) -> [UInt8]? {
        guard let stream = popen("exec \(command) 2>/dev/null", "re") else { return nil }
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = fread(&chunk, 1, chunk.count, stream)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        // The exit status adds no information to the output.
        pclose(stream)
        return bytes
    }

    /// The path of iprecordd, in the directory of this program or in a system directory; nil if it is not installed.
    static var installedProgram: String? {
        let own = "/proc/self/exe".linkTarget?.directory ?? "."
        return [
            "\(own)/iprecordd", "\(own.directory)/sbin/iprecordd", "/usr/sbin/iprecordd", "/usr/local/sbin/iprecordd",
        ]
        .first { access($0, X_OK) == 0 }
    }
}
