import Glibc

/// The process of the daemon that answers, as the kernel tells of it (proc(5)): what it was started with.
struct RunningDaemon: Hashable {
    let process: pid_t
    /// The program and its arguments.
    let command: [String]
    /// It runs as the service of the system's service manager.
    let isService: Bool
    private let user: uid_t

    /// - Returns: nil for a process that cannot be seen, and for another program: a socket that the service manager opened
    ///   tells of the service manager.
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

    /// Where it keeps to.
    enum Places: Hashable {
        /// What --config names; the folders of the system are the defaults.
        case configuration(String)
        case ofSystem
        /// A user's own, as its environment says.
        case ofUser([String: String])
    }

    /// Nil where that cannot be seen from here.
    var places: Places? {
        if let path = configurationArgument {
            guard !path.hasPrefix("/") else { return .configuration(path) }
            return folder.map { .configuration("\($0)/\(path)") }
        }
        return user == 0 ? .ofSystem : environment.map { .ofUser($0) }
    }

    private var configurationArgument: String? {
        for (argument, next) in zip(command, command.dropFirst() + [""]) {
            if argument == "--config" { return next.isEmpty ? nil : next }
            if argument.hasPrefix("--config=") { return String(argument.dropFirst("--config=".count)) }
        }
        return nil
    }

    /// Its working directory, which only its own user and root may see.
    private var folder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(process)/cwd", &path, path.count)
        guard count > 0 else { return nil }
        return String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Likewise.
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
        // Who may not see it, or comes too late, knows nothing of it: that is an answer here.
        guard let bytes = try? WholeFile.bytes(at: "/proc/\(process)/\(name)") else { return nil }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
