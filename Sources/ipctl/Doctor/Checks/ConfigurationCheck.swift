import Glibc

/// The daemon's configuration, as the daemon's own program judges it, and whether the daemon runs with it.
struct ConfigurationCheck: Check {
    static let name = "configuration"

    /// What the running daemon says of itself.
    struct Running {
        let endpoint: String
        let store: String
        let intervalMilliseconds: Int64
        /// Where it listens; nil where another may have opened the socket for it.
        let socket: String?
        let startedAt: Int64
    }

    let patient: Patient
    /// The program that judges; nil where there is none here.
    let program: String?
    /// Nil without a daemon that answers.
    let running: Running?
    var now: Int64 = Times.now

    func findings() -> [Finding] {
        guard let path = patient.configurationFile else {
            return [skipped("not looked at: nothing tells which one the daemon reads")]
        }
        let configuration: ConfigurationFile
        do throws(WholeFile.Unreadable) {
            configuration = try ConfigurationFile(path: path)
        } catch {
            return error.errno == ENOENT ? withoutFile(path) : [closed(path, error.errno)]
        }
        let mistakes = mistakes(in: path)
        let faults =
            mistakes.filter { $0.state != .skipped } + differences(from: configuration, in: path, beside: mistakes)
        if !faults.isEmpty { return faults }
        if !mistakes.isEmpty { return mistakes }
        return [lateChange(of: path) ?? ok("\(path) is good\(running == nil ? "" : ", and what the daemon runs with")")]
    }

    private func withoutFile(_ path: String) -> [Finding] {
        if patient.needsConfiguration {
            return [
                warning(
                    "\(path) is gone: the daemon was started with it, and does not start again without",
                    remedy: "Put it back, or leave --config out")
            ]
        }
        let faults = differences(from: ConfigurationFile(text: ""), in: "the default (there is no \(path))")
        return faults.isEmpty ? [ok("there is no \(path): every key has its default")] : faults
    }

    private func closed(_ path: String, _ error: Int32) -> Finding {
        skipped("\(path) cannot be read by you: \(meaning(of: error))", remedy: Patient.lookAsRoot)
    }

    // MARK: What is wrong with it

    /// - Returns: that it was not judged, where it could not be.
    private func mistakes(in path: String) -> [Finding] {
        guard let program else {
            return [
                skipped("\(path) was not judged: there is no iprecordd here", remedy: "Install iprecordd beside ipctl")
            ]
        }
        let command = "\(program.shellWord) --config \(path.shellWord) --check"
        switch Self.lines(of: command) {
        case nil: return [warning("\(program) cannot be run: \(meaning(of: errno))", remedy: "Run it: \(command)")]
        case .some(let lines):
            return lines.compactMap { line in
                // "line 3 of dns.list: …" is of a list, which has a check of its own.
                guard let text = Self.complaint(in: line), !text.hasPrefix("line "), text.contains(path) else {
                    return nil
                }
                return bad(text, remedy: "Put it right until \(command) is content. Then: \(patient.restart)")
            }
        }
    }

    private static func complaint(in line: String) -> String? {
        let mark = "iprecordd: "
        return line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : nil
    }

    /// What a command prints, on either of its outputs; nil where it could not be started, with why in `errno`.
    private static func lines(of command: String) -> [String]? {
        guard let stream = popen("exec \(command) 2>&1", "re") else { return nil }
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = fread(&chunk, 1, chunk.count, stream)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        // How it ended says no more than what it printed.
        pclose(stream)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    // MARK: What the daemon runs with

    private static let defaultInterval = "5m"
    /// As a mistake in a key is told; one in the file as a whole names none.
    private static var namedKey: Regex<Substring> { #/: [a-z]+\.[a-z-]+: /# }

    /// - Parameter mistakes: what could not be read is compared with nothing.
    private func differences(
        from configuration: ConfigurationFile, in path: String, beside mistakes: [Finding] = []
    ) -> [Finding] {
        let refusals = mistakes.filter { $0.state == .bad }.map { $0.message.replacing(path, with: "") }
        guard let running, refusals.allSatisfy({ $0.contains(Self.namedKey) }) else { return [] }
        func said(_ section: String, _ key: String, orElse usual: String?) -> String? {
            let isRefused = refusals.contains { $0.contains(": \(section).\(key): ") }
            guard configuration.isClear(section, key), !isRefused else { return nil }
            // Beside a mistake, a key that is missing may be the one that is misspelled.
            return configuration[section, key] ?? (refusals.isEmpty ? usual : nil)
        }
        var findings: [Finding] = []
        func differs(_ runs: String, _ says: String) {
            findings.append(
                warning(
                    "\(runs), and \(path) says \(says): restart needed",
                    remedy: "What it says holds from the next start on: \(patient.restart)"))
        }
        // What is no span of time is a mistake, and was told as one.
        if let interval = said("refresh", "interval", orElse: Self.defaultInterval), let span = TimeSpan(interval),
            span.milliseconds != running.intervalMilliseconds
        {
            let runs = Times.exactSpan(milliseconds: running.intervalMilliseconds)
            differs("the daemon refreshes every \(runs)", Times.exactSpan(milliseconds: span.milliseconds))
        }
        if let endpoint = said("provider", "endpoint", orElse: Endpoint.usual),
            Endpoint(endpoint) != Endpoint(running.endpoint)
        {
            differs("the daemon asks \(running.endpoint)", endpoint)
        }
        if let store = said("store", "path", orElse: patient.storePath), !Self.isSameFile(store, running.store) {
            differs("the daemon's store is \(running.store)", store)
        }
        if let socket = said("control", "socket", orElse: patient.usualSocket), let listening = running.socket,
            !Self.isSameFile(socket, listening)
        {
            differs("the daemon listens at \(listening)", socket)
        }
        return findings
    }

    /// The same path, or another to the same file.
    private static func isSameFile(_ one: String, _ other: String) -> Bool {
        guard one != other else { return true }
        guard case .found(let first) = FileStatus(one), case .found(let second) = FileStatus(other) else {
            return false
        }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The daemon tells of four keys; whether the others are as they were when it started, only the file's time says.
    private func lateChange(of path: String) -> Finding? {
        guard let running, case .found(let status) = FileStatus(path) else { return nil }
        let changedAt = Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        guard changedAt > running.startedAt else { return nil }
        return skipped(
            "\(path) is good, and was changed \(Times.ago(changedAt, from: now)), after the daemon's start: interval, "
                + "endpoint, store and socket are as it says, and whether the rest is cannot be seen",
            remedy: "What is not below [watch] holds from the next start on: \(patient.restart)")
    }

    /// The daemon's program: beside this one, or where the system has it.
    static var installedProgram: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self).folder
        return ["\(own)/iprecordd", "\(own.folder)/sbin/iprecordd", "/usr/sbin/iprecordd", "/usr/local/sbin/iprecordd"]
            .first { access($0, X_OK) == 0 }
    }
}
