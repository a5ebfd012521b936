import ArgumentParser
import Control
import Varlink

/// The command `ipctl status`.
struct Status: Command {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state of the daemon, the network and the provider.",
        discussion: """
            Load is the share of the provider's quota that the watch list needs. Above 100 %, records grow older than \
            the interval.

            Examples:
              ipctl status
              ipctl status --json | jq .entries.stale
            """)

    @OptionGroup var options: GlobalOptions

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let reply = try connection.call("Status", Control.Status.Parameters())
        if output.isJSON {
            output.print(reply.parameters)
        } else {
            let status = try reply.decoded(Control.Status.Reply.self)
            output.print(StatusCard(status: status, now: Times.now).lines(on: output.terminal))
        }
        return .done
    }
}
