package import ArgumentParser
import Dispatch
import Foundation
import Glibc
import RecordKeeping
import RecordStore

/// The command line of `iprecordd`.
package struct DaemonCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "iprecordd",
        abstract: "Keep a record of each address on a watch list fresh, and answer for it on a Unix socket.",
        discussion: """
            Started by root without --config, it reads /etc/iprecord/iprecordd.toml where there is one. Started by another \
            user without --config, it keeps to the user's own folders ($XDG_RUNTIME_DIR, $XDG_STATE_HOME and \
            $XDG_CONFIG_HOME, each with /iprecord).

            It stops on SIGTERM and SIGINT, and reads its watch lists again on SIGHUP. Ask it with ipctl.
            """,
        version: Version.text)

    @Option(help: ArgumentHelp("Read this configuration.", valueName: "file"))
    package var config: String?

    @Flag(help: "Read the configuration and the watch-list files, tell what is wrong with them, and end.")
    package var check = false

    @Flag(help: "Save what can be saved of a damaged database, keep the damaged one beside it, and end.")
    package var recover = false

    /// EX_DATAERR of sysexits.h: as the store's file is, no other start will do better.
    private static let badStore: Int32 = 65
    /// EX_CONFIG of sysexits.h: the service manager need not try again before somebody has changed it.
    private static let badConfiguration: Int32 = 78

    package init() {}

    /// Runs the daemon as the process's arguments say, and ends the process with its exit status.
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
        if check, recover { throw ValidationError("--check and --recover exclude each other.") }
    }

    package func run() async throws {
        let code: Int32
        do {
            let setup = try Setup(configurationFile: config)
            if check {
                code = setup.check()
            } else if recover {
                code = try setup.recover()
            } else {
                code = try await Daemon(setup).run()
            }
        } catch {
            complain("\(error)")
            code = Self.code(for: error)
        }
        throw ExitCode(code)
    }

    private static func code(for error: any Error) -> Int32 {
        switch error {
        case is ConfigurationError, is Setup.Problem: badConfiguration
        case let error as StoreError where error.isOfTheFile: badStore
        default: EXIT_FAILURE
        }
    }
}

/// Tells a person or the service manager why the daemon does not run: there may be no journal yet.
func complain(_ text: String) {
    FileHandle.standardError.write(Data("iprecordd: \(text)\n".utf8))
}
