package import ArgumentParser
import Foundation
import Glibc
import RecordKeeping

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

    /// EX_CONFIG of sysexits.h: the service manager need not try again before somebody has changed it.
    private static let badConfiguration: Int32 = 78

    package init() {}

    /// Runs the daemon as the process's arguments say, and ends the process with its exit status.
    package static func start() async {
        await main()
    }

    package func run() async throws {
        let code: Int32
        do {
            let setup = try Setup(configurationFile: config)
            code = check ? setup.check() : try await Daemon(setup).run()
        } catch {
            complain("\(error)")
            let isConfiguration = error is ConfigurationError || error is Setup.Problem
            code = isConfiguration ? Self.badConfiguration : EXIT_FAILURE
        }
        throw ExitCode(code)
    }
}

/// Tells a person or the service manager why the daemon does not run: there may be no journal yet.
func complain(_ text: String) {
    FileHandle.standardError.write(Data("iprecordd: \(text)\n".utf8))
}
