import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl outages`.
struct Outages: Command {
    static let configuration = CommandConfiguration(
        commandName: "outages", abstract: "Show the outages of the network and the provider, newest first.",
        discussion: """
            The cause is "network" if there was no route to the provider, and "provider" if the provider did not \
            answer. DEFERRED is the number of refreshes that could not be made on time.

            Examples:
              ipctl outages
              ipctl outages --limit 1                   the last outage
              ipctl wait online                         wait until the network is back
            """)

    private static let none = "no outages recorded"

    @OptionGroup var options: GlobalOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show at most this many outages (default: \(Control.Outages.defaultLimit)).", valueName: "number"),
        transform: { try WholeNumber.option($0, in: 1...Int64(Limits.outagesPerPage)) })
    var limit: Int64?

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        output.isPaged = true
        let parameters = Control.Outages.Parameters(limit: limit ?? Int64(Control.Outages.defaultLimit))
        let reply = try connection.call("Outages", parameters)
        let outages = try reply.decoded(Control.Outages.Reply.self).outages
        if output.isJSON {
            output.print(reply.parameters)
        } else if !outages.isEmpty {
            output.print(OutageTable(outages: outages, now: Times.now).lines(on: output.terminal))
        } else if output.terminal.columns != nil {
            output.print(Self.none)
        } else {
            // Programs that count the lines must not count this one.
            Output.printMessage(Self.none)
        }
        return .done
    }
}
