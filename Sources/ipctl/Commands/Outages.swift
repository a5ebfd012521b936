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
            answer. DEFERRED is the number of refreshes that could not be made on time. With --sort, the newest \
            outages, up to --limit, are sorted by since, until, cause, message or deferred.

            Exit status: 1 if there are no outages.

            Examples:
              ipctl outages
              ipctl outages --limit 1                   the last outage
              ipctl outages --sort deferred --reverse   the most deferred refreshes first
              ipctl outages --format csv
              ipctl wait online                         wait until the network is back
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show at most this many outages (default: \(Control.Outages.defaultLimit)).", valueName: "number"),
        transform: { try WholeNumber.option($0, in: 1...Int64(Limits.outagesPerPage)) })
    var limit: Int64?

    @OptionGroup var order: SortOptions

    @OptionGroup(title: "Output") var rows: RowOptions

    static let names = ["since", "until", "cause", "message", "deferred"]

    func validate() throws {
        try rows.check(names: Self.names, isJSON: options.json)
        try order.check(names: Self.names, isJSON: options.json)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        output.isPaged = true
        let parameters = Control.Outages.Parameters(limit: limit ?? Int64(Control.Outages.defaultLimit))
        let reply = try connection.call("Outages", parameters)
        let outages = try reply.decoded(Control.Outages.Reply.self).outages
        guard !output.isJSON else {
            output.print(reply.parameters)
            return outages.isEmpty ? .negative : .done
        }
        guard !outages.isEmpty else { throw CommandError(status: .negative, message: "no outages recorded") }
        guard case .array(let values)? = reply.parameters["outages"] else { return .done }
        let sorted = order.sorted(Array(zip(outages, values))) { $0.1[$1] }
        guard !rows.isCustom else {
            var writer = RowPrinter(rows, names: Self.names)
            writer.write(sorted.map { _, outage in { outage[$0] } }, to: output)
            return .done
        }
        let lines = OutageTable(outages: sorted.map(\.0), now: Times.now).lines(on: output.terminal)
        output.print(rows.noHeaders ? Array(lines.dropFirst()) : lines)
        return .done
    }
}
