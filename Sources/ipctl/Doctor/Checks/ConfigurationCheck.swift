import Control
import Glibc
import RecordKeeping

/// Reports the problems of the configuration, and compares it with the running daemon.
struct ConfigurationCheck: Check {
    static let name = "configuration"

    let target: DoctorTarget
    let configuration: CheckedConfiguration
    /// The status of the running daemon; nil if no daemon replies.
    let status: Control.Status.Reply?
    /// The socket on which the daemon is listening; nil if the service manager may have opened it.
    var listeningSocket: String?
    var now: Int64 = Times.now

    func findings() -> [Finding] {
        switch configuration {
        case .unknown: return skipped(configuration.unknownReason)
        case .notInstalled:
            return skipped(configuration.unknownReason, remedy: "Install iprecordd next to ipctl")
        case .failed(let command, let reason):
            return warning("cannot check the configuration: \(reason)", remedy: "Run it: \(command)")
        case .report(let report): return findings(report)
        }
    }

    private func findings(_ report: CheckReport) -> [Finding] {
        let path = report.configuration
        if report.file == .missing { return withoutFile(report) }
        let denied = report.problems.filter { $0.message.hasSuffix(meaning(of: EACCES)) }
        if report.file == .unreadable, !denied.isEmpty {
            return skipped("you cannot read \(path): \(meaning(of: EACCES))", remedy: DoctorTarget.rootRemedy)
        }
        // The daemon's user may have access.
        let problems = report.problems.filter { !target.runsAsOtherUser || !denied.contains($0) }
        let faults = problems.flatMap { finding($0, in: path) } + differences(from: report, named: path)
        guard faults.isEmpty else { return faults }
        let match = status == nil ? "" : " and matches the running daemon"
        return changeAfterStart(of: path) ?? ok("\(path) is valid\(match)")
    }

    private func withoutFile(_ report: CheckReport) -> [Finding] {
        let path = report.configuration
        if target.needsConfiguration {
            return warning(
                "\(path) does not exist: the daemon was started with it, and does not restart without it",
                remedy: "Restore it, or start the daemon without --config")
        }
        let faults = differences(from: report, named: "the default (\(path) does not exist)")
        return faults.isEmpty ? ok("\(path) does not exist: all keys have their defaults") : faults
    }

    private func finding(_ problem: CheckReport.Problem, in path: String) -> [Finding] {
        let program = CheckedConfiguration.installedProgram ?? "iprecordd"
        let command = "\(program.shellWord) --config \(path.shellWord) --check"
        return bad(problem.message, remedy: "Fix it until \(command) reports no errors. Then: \(target.restart)")
    }

    // MARK: The running daemon

    /// - Parameter name: the name of the configuration for messages.
    private func differences(from report: CheckReport, named name: String) -> [Finding] {
        guard let status else { return [] }
        /// Nil if the setting is unknown: a missing key may be misspelled in a file with errors.
        func configured<Value>(_ setting: KeyPath<CheckReport.Settings, Value>, _ key: String) -> Value? {
            report.problems.isEmpty || report.keys.contains(key) ? report.setting(setting, of: key) : nil
        }
        var findings: [Finding] = []
        func differs(_ actual: String, _ configured: String) {
            findings += warning(
                "\(actual), but \(name) says \(configured): restart needed",
                remedy: "To apply the configuration: \(target.restart)")
        }
        if let interval = configured(\.interval, "refresh.interval"), interval != status.refresh.interval {
            let actual = Times.exactSpan(milliseconds: status.refresh.interval)
            differs("the daemon refreshes every \(actual)", Times.exactSpan(milliseconds: interval))
        }
        if let endpoint = configured(\.endpoint, "provider.endpoint"), endpoint != status.provider.endpoint,
            (try? BaseURL(endpoint)) != (try? BaseURL(status.provider.endpoint)) || status.provider.isLocal
        {
            differs("the daemon uses \(status.provider.endpoint)", endpoint)
        }
        if let store = configured(\.store, "store.path"), !Self.isSameFile(store, status.store.path) {
            differs("the daemon's store is \(status.store.path)", store)
        }
        if let socket = configured(\.socket, "control.socket"), let listeningSocket,
            !Self.isSameFile(socket, listeningSocket)
        {
            differs("the daemon is listening on \(listeningSocket)", socket)
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

    /// Reports that the file was changed after the daemon started. The daemon's status contains only four of the keys.
    private func changeAfterStart(of path: String) -> [Finding]? {
        guard let status, case .found(let file) = FileStatus(path) else { return nil }
        let changedAt = Int64(
            clamping: Int128(file.st_mtim.tv_sec) * 1_000 + Int128(file.st_mtim.tv_nsec) / 1_000_000)
        guard changedAt > status.startedAt else { return nil }
        return skipped(
            "\(path) is valid, and was changed \(Times.ago(changedAt, from: now)), after the daemon started: interval, "
                + "endpoint, store and socket match, and the other settings cannot be compared",
            remedy: "To apply settings outside [watch] and [offline]: \(target.restart)")
    }
}
