package import ArgumentParser
import Control
import Dispatch
import Foundation
import Glibc
import Logging
import RecordKeeping
import RecordStore
import Systemd

/// The command line of `iprecordd`.
package struct DaemonCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "iprecordd",
        abstract: "Keep records of watched IP addresses fresh, and serve them on a Unix socket.",
        discussion: """
            If root starts the daemon without --config, it reads /etc/iprecord/iprecordd.toml if that file exists. If \
            another user starts the daemon without --config, it uses the directories of that user ($XDG_RUNTIME_DIR, \
            $XDG_STATE_HOME and $XDG_CONFIG_HOME, each with /iprecord).

            SIGTERM and SIGINT stop the daemon; SIGHUP reloads the watch list. The client is ipctl.
            """,
        version: Version.text)

    @Option(help: ArgumentHelp("Read this configuration file.", valueName: "file"), completion: .file())
    package var config: String?

    @Flag(help: "Check the configuration, startup requirements and watch-list files, print any errors, and exit.")
    package var check = false

    @Flag(help: "With --check, print one JSON object, which ipctl doctor reads.")
    package var json = false

    /// Makes --check use the user's directories, which the environment determines, even if root runs the check. The
    /// command `ipctl doctor` needs this.
    @Flag(help: .hidden)
    package var userDirectories = false

    @Flag(
        help: """
            Save the readable data of a damaged database to a new one, add missing rows from the newest backup, keep \
            the damaged database beside it, and exit.
            """)
    package var recover = false

    @Flag(help: "Replace the database with the backup FILE, or, without FILE, list the backups, and exit.")
    package var restore = false

    @Argument(help: ArgumentHelp("With --restore, the backup to restore.", valueName: "file"), completion: .file())
    package var file: String?

    /// EX_DATAERR of sysexits.h: the database file is unusable, so starting the daemon again would also fail.
    private static let badStore: Int32 = 65
    /// EX_CONFIG of sysexits.h: an administrator must correct the configuration, or meet its requirements, before the
    /// daemon can start.
    static let badConfiguration: Int32 = 78

    package init() {}

    /// Parses the arguments of the process, runs the command, and exits with its status.
    package static func start() -> Never {
        let command = parseOrExit()
        Task(executorPreference: TaskQueue(label: "iprecord.main")) {
            do {
                try await command.run()
                exit()
            } catch {
                exit(withError: error)
            }
        }
        dispatchMain()
    }

    package func validate() throws {
        if [check, recover, restore].count(where: { $0 }) > 1 {
            throw ValidationError("--check, --recover and --restore cannot be combined")
        }
        if let file, !restore { throw ValidationError("unexpected argument \"\(file)\"") }
        if json, !check { throw ValidationError("--json requires --check") }
    }

    package func run() async throws {
        let code: Int32
        if check {
            code = try runCheck()
        } else if recover {
            code = report { try Setup(configurationFile: config).recover() }
        } else if restore {
            code = report { try Setup(configurationFile: config).restore(file) }
        } else {
            code = await runDaemon()
        }
        throw ExitCode(code)
    }

    /// Checks the service's configuration with the service's permissions, if this process may assume them, and any
    /// other configuration with the permissions of this process.
    private func runCheck() throws -> Int32 {
        let isRoot = geteuid() == 0 && !userDirectories
        if isRoot, Setup.isOfService(config, isRoot: true) {
            let account = ServiceAccount.assume() ? "the user \(ServiceAccount.name)" : "root"
            if !json { print("checking with the permissions of \(account)") }
        }
        let report = Setup.checkReport(configurationFile: config, isRoot: isRoot)
        if json { try report.printJSON() } else { report.print() }
        return report.exitStatus
    }

    private func runDaemon() async -> Int32 {
        var descriptors: [Int32] = []
        do {
            let sockets = try ActivatedSocket.receiveAll()
            descriptors = sockets.map(\.descriptor)
            return try await Daemon(Setup(configurationFile: config)).run(sockets)
        } catch {
            let code = Self.report(error)
            if code != EXIT_FAILURE { PendingConnections(descriptors: descriptors).close() }
            return code
        }
    }

    private func report(_ work: () throws -> Int32) -> Int32 {
        do {
            return try work()
        } catch {
            return Self.report(error)
        }
    }

    /// Prints an error.
    ///
    /// - Returns: the exit status for it.
    private static func report(_ error: any Error) -> Int32 {
        switch error {
        case let error as UnmetRequirements:
            for violation in error.violations { printError("\(violation)") }
        default: printError("\(error)")
        }
        return switch error {
        case is UnmetRequirements, is ConfigurationError, is Setup.Problem: badConfiguration
        case let error as SystemdError where error.isOfCredential: badConfiguration
        case let error as StoreError where error.isOfTheFile: badStore
        default: EXIT_FAILURE
        }
    }
}

/// Reports a problem with the startup or the configuration: on standard error after the program's name, or, if journald
/// reads standard error, as an error in the journal.
func printError(_ text: String) {
    let destination = LogDestination.currentBeforeExit
    guard destination == .standardError else {
        return Logger(label: "iprecordd") { _ in destination.handler(identifier: "iprecordd") }.error("\(text)")
    }
    FileHandle.standardError.write(Data("iprecordd: \(text.printable)\n".utf8))
}
