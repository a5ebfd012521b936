import ArgumentParser
import Control

/// The command `ipctl doctor`.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Diagnose problems and suggest remedies.",
        discussion: """
            Checks the socket, the daemon, its store, the clock, the network, the provider and its quota, the records, \
            the watch lists, the local databases and the configuration. Checks that do not need the daemon also run without it. Nothing is \
            changed, and no request is sent to the provider.

            Each finding has one line: ✓ good, ! works for now or for some users, ✗ does not work, – not checked. The \
            line below a problem says what to do.

            Exit status: 0 no problem found; 1 problems found; 69 the daemon does not reply.

            Examples:
              ipctl doctor
              sudo ipctl doctor                       with the checks that need root
              ipctl --json doctor | jq 'select(.state != "ok")'
            """)

    @OptionGroup var options: GlobalOptions

    func run() throws {
        try options.withTimes { try runWithTimes() }
    }

    private func runWithTimes() throws {
        let output = Output(isJSON: options.json)
        let socket = SocketPath(option: options.socket)
        do throws(CommandError) {
            var doctorRun = DoctorRun(
                target: DoctorTarget(
                    socket: socket.path, configuredSocket: CheckedConfiguration.socketOfService), output: output)
            let status = try doctorRun.run()
            guard status == .done else { throw CommandError(status: status, message: "") }
        } catch {
            Output.report(error)
            throw error.status.code
        }
    }
}
