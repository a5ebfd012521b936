import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl outages`
struct Outages: Command {
    static let configuration = CommandConfiguration(
        commandName: "outages", abstract: "Show when records could not be had, for how long, and why, newest first.",
        discussion: """
            The cause is "network" where there was no way to the provider, and "provider" where there was a way and no \
            answer. DEFERRED is how many refreshes could not be made when they were due.

            Examples:
              ipctl outages
              ipctl outages --limit 1                   the last one
              ipctl wait online                         until it is over
            """)

    private static let none = "no outage is known"

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show so many at most (default: \(Control.Outages.defaultLimit)).", valueName: "number"),
        transform: { try WholeNumber.option($0, in: 1...Int64(Limits.outagesPerPage)) })
    var limit: Int64?

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        output.isPaged = true
        let parameters = Control.Outages.Parameters(limit: limit ?? Int64(Control.Outages.defaultLimit))
        let reply = try connection.call("Outages", parameters)
        let outages = try reply.decoded(Control.Outages.Reply.self).outages
        if output.isJSON {
            output.print(reply.parameters)
        } else if !outages.isEmpty {
            output.print(OutageTable(outages, now: Times.now).lines(on: output.terminal))
        } else if output.terminal.columns != nil {
            output.print(Self.none)
        } else {
            // What counts lines must not count this one.
            Output.remark(Self.none)
        }
        return .done
    }
}
