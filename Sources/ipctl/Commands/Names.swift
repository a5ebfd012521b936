import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl names`.
struct Names: Command {
    static let configuration = CommandConfiguration(
        commandName: "names", abstract: "Show the watched host names with their states and addresses.",
        discussion: """
            A name is fresh if its last resolution had an answer, stale if the addresses are those of an earlier \
            answer, loading if it has not been resolved yet, and failed if no addresses are known. If a name cannot be \
            resolved, the reason is shown, and its last addresses stay on the watch list.

            Rows have the columns name, state, addresses, tags, note, answeredAt, failedSince, reason and nextAt.

            Exit status: 1 if no name is watched, or one of the given names is not.

            Examples:
              ipctl names
              ipctl names --columns name,addresses --format tsv
              ipctl names --json
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Host names (default: all that are watched).", completion: .watchedNames)
    var names: [String] = []

    @OptionGroup(title: "Output") var rows: RowOptions

    static let columns = [
        "name", "state", "addresses", "tags", "note", "answeredAt", "failedSince", "reason", "nextAt",
    ]

    func validate() throws {
        try rows.check(names: Self.columns, isJSON: options.json)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        output.isPaged = true
        let parameters = Control.Names.Parameters(hostNames: names.isEmpty ? nil : names)
        let reply = try connection.call("Names", parameters)
        let found = try reply.decoded(Control.Names.Reply.self).names
        guard !output.isJSON else {
            output.print(reply.parameters)
            return found.isEmpty ? .negative : .done
        }
        guard !found.isEmpty else {
            throw CommandError(
                status: .negative, message: "no host names are watched", advice: "Add one with: ipctl add NAME")
        }
        guard case .array(let values)? = reply.parameters["names"] else { return .done }
        guard !rows.isCustom else {
            var writer = RowPrinter(rows, names: Self.columns)
            writer.write(values.map { name in { name[$0] } }, to: output)
            return .done
        }
        let lines = HostNameTable(names: found, now: Times.now).lines(on: output.terminal)
        output.print(rows.noHeaders ? Array(lines.dropFirst()) : lines)
        return .done
    }
}
