import Files
import Glibc
import RecordKeeping

/// Checks the configuration with `iprecordd --check`, and compares it with the running daemon.
struct ConfigurationCheck: Check {
    static let name = "configuration"

    /// The settings that the running daemon reports.
    struct Running {
        let endpoint: String
        let store: String
        let intervalMilliseconds: Int64
        /// The socket on which the daemon is listening; nil if the service manager may have opened it.
        let socket: String?
        let startedAt: Int64
    }

    let target: DoctorTarget
    /// The path of iprecordd; nil if it is not installed.
    let program: String?
    /// The running daemon; nil if none replies.
    let running: Running?
    var now: Int64 = Times.now

    func findings() -> [Finding] {
        guard let path = target.configurationFile else {
            return [skipped("not checked: cannot tell which configuration the daemon reads")]
        }
        let configuration: ConfigurationFile
        do throws(WholeFile.Unreadable) {
            configuration = try ConfigurationFile(path: path)
        } catch {
            return error.errno == ENOENT ? withoutFile(path) : [unreadable(path, error.errno)]
        }
        let errors = errors(in: path)
        let faults =
            errors.filter { $0.state != .skipped } + differences(from: configuration, in: path, beside: errors)
        if !faults.isEmpty { return faults }
        if !errors.isEmpty { return errors }
        let match = running == nil ? "" : " and matches the running daemon"
        return [changeAfterStart(of: path) ?? ok("\(path) is valid\(match)")]
    }

    private func withoutFile(_ path: String) -> [Finding] {
        if target.needsConfiguration {
            return [
                warning(
                    "\(path) does not exist: the daemon was started with it, and does not restart without it",
                    remedy: "Restore it, or start the daemon without --config")
            ]
        }
        let faults = differences(from: ConfigurationFile(text: ""), in: "the default (\(path) does not exist)")
        return faults.isEmpty ? [ok("\(path) does not exist: all keys have their defaults")] : faults
    }

    private func unreadable(_ path: String, _ error: Int32) -> Finding {
        skipped("you cannot read \(path): \(meaning(of: error))", remedy: DoctorTarget.rootRemedy)
    }

    // MARK: Errors

    /// - Returns: a skipped check if iprecordd is not installed.
    private func errors(in path: String) -> [Finding] {
        guard let program else {
            return [
                skipped("\(path) was not checked: iprecordd was not found", remedy: "Install iprecordd next to ipctl")
            ]
        }
        let command = "\(program.shellWord) --config \(path.shellWord) --check"
        switch Self.lines(of: command) {
        case nil: return [warning("cannot run \(program): \(meaning(of: errno))", remedy: "Run it: \(command)")]
        case .some(let lines):
            return lines.compactMap { line in
                // "line 3 of dns.list: …" concerns a watch-list file; `ListsCheck` checks these files.
                guard let text = Self.commandError(in: line), !text.hasPrefix("line "), text.contains(path) else {
                    return nil
                }
                guard !target.runsAsOtherUser || !text.hasSuffix(meaning(of: EACCES)) else { return nil }
                return bad(text, remedy: "Fix it until \(command) reports no errors. Then: \(target.restart)")
            }
        }
    }

    private static func commandError(in line: String) -> String? {
        let mark = "iprecordd: "
        return line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : nil
    }

    /// Returns the lines that a command prints to standard output and standard error; nil if the command could not be
    /// started, with the reason in `errno`.
    private static func lines(of command: String) -> [String]? {
        guard let stream = popen("exec \(command) 2>&1", "re") else { return nil }
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = fread(&chunk, 1, chunk.count, stream)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        // The exit status adds no information to the output.
        pclose(stream)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    // MARK: The running daemon

    private static let defaultInterval = "5m"
    /// Matches the key in an error for a key; an error for the whole file names no key.
    private static var namedKey: Regex<Substring> { #/: [a-z]+\.[a-z-]+: /# }

    /// - Parameter errors: errors in the configuration; keys with errors are not compared.
    private func differences(
        from configuration: ConfigurationFile, in path: String, beside errors: [Finding] = []
    ) -> [Finding] {
        let fileErrors = errors.filter { $0.state == .bad }.map { $0.message.replacing(path, with: "") }
        guard let running, fileErrors.allSatisfy({ $0.contains(Self.namedKey) }) else { return [] }
        func configuredValue(_ section: String, _ key: String, orElse defaultValue: String?) -> String? {
            let isInvalid = fileErrors.contains { $0.contains(": \(section).\(key): ") }
            guard configuration.isKnown(section, key), !isInvalid else { return nil }
            // If there are errors, a missing key may be misspelled.
            return configuration[section, key] ?? (fileErrors.isEmpty ? defaultValue : nil)
        }
        var findings: [Finding] = []
        func differs(_ actual: String, _ configured: String) {
            findings.append(
                warning(
                    "\(actual), but \(path) says \(configured): restart needed",
                    remedy: "To apply the configuration: \(target.restart)"))
        }
        // An invalid duration has already been reported as an error.
        if let interval = configuredValue("refresh", "interval", orElse: Self.defaultInterval),
            let span = TimeSpan(interval),
            span.milliseconds != running.intervalMilliseconds
        {
            let actual = Times.exactSpan(milliseconds: running.intervalMilliseconds)
            differs("the daemon refreshes every \(actual)", Times.exactSpan(milliseconds: span.milliseconds))
        }
        if let endpoint = configuredValue("provider", "endpoint", orElse: "http://\(BaseURL.freeHost)"),
            (try? BaseURL(endpoint)) != (try? BaseURL(running.endpoint))
        {
            differs("the daemon uses \(running.endpoint)", endpoint)
        }
        if let store = configuredValue("store", "path", orElse: target.storePath),
            !Self.isSameFile(store, running.store)
        {
            differs("the daemon's store is \(running.store)", store)
        }
        if let socket = configuredValue("control", "socket", orElse: target.defaultSocket),
            let listening = running.socket,
            !Self.isSameFile(socket, listening)
        {
            differs("the daemon is listening on \(listening)", socket)
        }
        return findings
    }

    /// Whether two paths name the same file.
    private static func isSameFile(_ one: String, _ other: String) -> Bool {
        guard one != other else { return true }
        guard case .found(let first) = FileStatus(one), case .found(let second) = FileStatus(other) else {
            return false
        }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Reports a change to the file after the daemon started. The daemon's status contains only four of the keys.
    private func changeAfterStart(of path: String) -> Finding? {
        guard let running, case .found(let status) = FileStatus(path) else { return nil }
        let changedAt = Int64(
            clamping: Int128(status.st_mtim.tv_sec) * 1_000 + Int128(status.st_mtim.tv_nsec) / 1_000_000)
        guard changedAt > running.startedAt else { return nil }
        return skipped(
            "\(path) is valid, and was changed \(Times.ago(changedAt, from: now)), after the daemon started: interval, "
                + "endpoint, store and socket match, and the other settings cannot be compared",
            remedy: "To apply settings outside [watch]: \(target.restart)")
    }

    /// The path of iprecordd, in the directory of this program or in a system directory; nil if it is not installed.
    static var installedProgram: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self).directory
        return [
            "\(own)/iprecordd", "\(own.directory)/sbin/iprecordd", "/usr/sbin/iprecordd", "/usr/local/sbin/iprecordd",
        ]
        .first { access($0, X_OK) == 0 }
    }
}
