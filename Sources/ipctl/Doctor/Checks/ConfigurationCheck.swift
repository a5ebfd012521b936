import Glibc

/// The daemon's configuration and the lines of its watch lists, as the daemon's own program judges them.
struct ConfigurationCheck: Check {
    static let name = "configuration"

    let patient: Patient
    /// The program that judges; nil where there is none here.
    let program: String?
    /// What the running daemon says of itself; nil without one.
    let running: (endpoint: String, store: String)?

    func findings() -> [Finding] {
        guard let path = patient.configurationFile else {
            return [ok("not looked at: this socket does not tell which one the daemon reads")]
        }
        guard let configuration = ConfigurationFile(path: path) else {
            let error = errno
            return [
                error == ENOENT
                    ? ok("there is no \(path): every key has its default")
                    : ok("\(path) cannot be read by you, and was not looked at: \(meaning(of: error))")
            ]
        }
        let faults = mistakes(in: path) + differences(from: configuration, in: path)
        if !faults.isEmpty { return faults }
        return [ok(program == nil ? "\(path), not judged: there is no iprecordd here" : "\(path) is good")]
    }

    // MARK: What is wrong with it

    private func mistakes(in path: String) -> [Finding] {
        guard let program else { return [] }
        let command = "\(program.shellWord) --config \(path.shellWord) --check"
        switch Self.lines(of: command) {
        case nil: return [warning("\(program) cannot be run: \(meaning(of: errno))", remedy: "Run it: \(command)")]
        case .some(let lines):
            return lines.compactMap { line in
                guard let text = Self.complaint(in: line) else { return nil }
                // "line 3 of dns.list: …" is of a list; that a list cannot be read by us says nothing of the daemon.
                if text.hasPrefix("line ") { return bad(text, remedy: "Put the line right, then: ipctl reload") }
                guard text.contains(path) else { return nil }
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

    private func differences(from configuration: ConfigurationFile, in path: String) -> [Finding] {
        guard let running else { return [] }
        var findings: [Finding] = []
        let remedy = "If the file was changed since the daemon started: \(patient.restart)"
        let endpoint = configuration["provider", "endpoint"] ?? Endpoint.usual
        if Endpoint(endpoint) != Endpoint(running.endpoint) {
            findings.append(
                warning("the daemon asks \(running.endpoint), and \(path) says \(endpoint)", remedy: remedy))
        }
        if let store = configuration["store", "path"] ?? patient.storePath, store != running.store {
            findings.append(
                warning("the daemon's store is \(running.store), and \(path) says \(store)", remedy: remedy))
        }
        return findings
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
