import Files
import Glibc

/// The process of the running daemon, with its command line from proc(5).
struct RunningDaemon: Hashable {
    let process: pid_t
    /// The program and its arguments.
    let command: [String]
    /// Whether it runs as a system service.
    let isService: Bool
    let user: uid_t

    /// - Returns: nil for a process that cannot be inspected, and for another program, such as the service manager that
    ///   opened the socket.
    init?(process: pid_t, user: uid_t) {
        guard let command = Self.texts(of: process, "cmdline"), let program = command.first,
            program.split(separator: "/").last == "iprecordd"
        else { return nil }
        self.process = process
        self.command = command
        self.user = user
        isService = Self.texts(of: process, "cgroup")?.joined().contains("system.slice/iprecordd.service") ?? false
    }

    init(process: pid_t, command: [String], isService: Bool, user: uid_t) {
        (self.process, self.command, self.isService, self.user) = (process, command, isService, user)
    }

    /// The configuration that the daemon reads; nil if it cannot be determined.
    var source: CheckedConfiguration.Source? {
        if let path = configurationArgument {
            guard !path.hasPrefix("/") else { return .file(path) }
            // Only the same user and root can read the working directory.
            return "/proc/\(process)/cwd".linkTarget.map { .file("\($0)/\(path)") }
        }
        guard user == 0 else {
            return environment.map { environment in
                .user(CheckedConfiguration.Source.environment { environment[$0].flatMap { $0.isEmpty ? nil : $0 } })
            }
        }
        // Another user's iprecordd would use that user's directories.
        return geteuid() == 0 ? .system : .file(DoctorTarget.systemConfiguration)
    }

    private var configurationArgument: String? {
        for (argument, next) in zip(command, command.dropFirst() + [""]) {
            if argument == "--config" { return next.isEmpty ? nil : next }
            if argument.hasPrefix("--config=") { return String(argument.dropFirst("--config=".count)) }
        }
        return nil
    }

    /// The environment, which only the same user and root can read.
    private var environment: [String: String]? {
        guard let variables = Self.texts(of: process, "environ") else { return nil }
        var environment: [String: String] = [:]
        for variable in variables {
            guard let equals = variable.firstIndex(of: "=") else { continue }
            environment[String(variable[..<equals])] = String(variable[variable.index(after: equals)...])
        }
        return environment
    }

    private static func texts(of process: pid_t, _ name: String) -> [String]? {
        // The file cannot be read without permission, or after the process has exited.
        guard let bytes = try? WholeFile.bytes(at: "/proc/\(process)/\(name)", pipes: .readWithoutWaiting) else {
            return nil
        }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
