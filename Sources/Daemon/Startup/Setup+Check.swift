import Control
import Foundation
import Glibc
import IPAPI
import RecordKeeping

/// `iprecordd --check`: the configuration, everything else that the start needs, and the watch lists.
extension Setup {
    /// Checks everything that the start reads, and creates nothing.
    static func checkReport(configurationFile: String?, isRoot: Bool) -> CheckReport {
        let setup: Setup
        let errors: [ConfigurationError]
        do throws(Problem) {
            (setup, errors) = try read(configurationFile: configurationFile, isRoot: isRoot)
        } catch {
            return CheckReport(unreadable: error)
        }
        let path = setup.configurationPath
        var report = CheckReport(
            configuration: path, file: access(path, F_OK) == 0 ? .read : .missing, keys: setup.source.keys,
            problems: errors.map(CheckReport.Problem.init))
        // An error without a key concerns the whole file.
        guard errors.allSatisfy({ $0.key != nil }) else { return report }
        report.settings = CheckReport.Settings(setup.configuration, errors.isEmpty ? setup.proxyChoiceForCheck : nil)
        if !errors.contains(where: { $0.key == "watch.directory" }) {
            report.lists = WatchLists(directory: setup.configuration.watchDirectory).report
        }
        if !errors.contains(where: { $0.key == "offline.databases" }) { report.add(setup.checkedDatabases()) }
        if errors.isEmpty {
            let requirements = StartRequirements(of: setup, at: .check)
            report.problems = requirements.violations.map(CheckReport.Problem.init)
            report.unchecked += requirements.unverified
        }
        report.configuredAddresses = setup.configuration.addresses.count
        return report
    }

    /// Whether the daemon would be denied access to a file as well, if this process is. The check may be run by a user
    /// other than the service's user.
    func isConclusive(_ path: String) -> Bool {
        guard geteuid() != ServiceAccount.user else { return true }
        return !isOfService && !path.hasPrefix(Places.system.state) && !path.hasPrefix(Places.system.runtime)
    }

    /// Returns the text about a file to which only this process is denied access.
    static func unverified(_ path: String) -> String {
        "\(path): \(String(cString: strerror(EACCES))); only root and the user \(ServiceAccount.name) can check it"
    }
}

extension CheckReport {
    fileprivate init(unreadable problem: Setup.Problem) {
        let (path, isMissing) =
            switch problem {
            case .unreadable(let path, _): (path, access(path, F_OK) != 0 && errno == ENOENT)
            case .noUserDirectories: ("", false)
            }
        self.init(
            configuration: path, file: isMissing ? .missing : .unreadable,
            problems: [Problem(key: nil, message: "\(problem)")])
    }

    /// The exit status of the check.
    var exitStatus: Int32 {
        guard problems.isEmpty else { return DaemonCommand.badConfiguration }
        return ignored.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
    }

    /// The messages about everything that the daemon ignores.
    private var ignored: [String] { (lists?.ignored ?? []).map { "\($0)" } + databases.compactMap(\.message) }

    fileprivate mutating func add(_ checked: Setup.CheckedDatabases) {
        databases = checked.databases
        unchecked += checked.unverified
    }

    /// Prints the report as one line of JSON.
    func printJSON() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try FileHandle.standardOutput.write(contentsOf: try encoder.encode(self) + Data("\n".utf8))
    }

    /// Prints the report: errors and warnings on standard error, the result on standard output.
    func print() {
        let ignored = ignored
        for problem in problems { printError(problem.message) }
        for message in ignored { printError(message) }
        for file in lists?.unreadFiles ?? [] {
            printError("warning: \(file) is not read: its name does not end in .list")
        }
        for item in unchecked { Swift.print("not checked: \(item)".printable) }
        guard problems.isEmpty else { return }
        guard ignored.isEmpty else {
            let subject = ignored.count == 1 ? "1 line or file is" : "\(ignored.count) lines or files are"
            return printError("\(subject) ignored; the configuration itself is valid")
        }
        let count = configuredAddresses + (lists?.files.reduce(0) { $0 + $1.addresses } ?? 0)
        Swift.print("the configuration is valid; \(count) \(count == 1 ? "address" : "addresses") in total")
        if let sentence = settings?.proxySentence { Swift.print(sentence.printable) }
    }
}

extension CheckReport.Settings {
    fileprivate init(_ configuration: Configuration, _ proxy: ProxyChoice?) {
        self.init(
            interval: configuration.interval.wholeMilliseconds, endpoint: configuration.reportedEndpoint,
            keyFile: configuration.keyFile, socket: configuration.socket, store: configuration.storePath)
        proxyFile = configuration.proxyFile
        proxySentence = proxy?.sentence
        self.proxy = proxy?.proxy?.description
        proxyHasLogin = proxy?.proxy?.hasLogin
    }
}

extension CheckReport.Problem {
    fileprivate init(_ error: ConfigurationError) {
        self.init(key: error.key, message: "\(error)")
    }
}
