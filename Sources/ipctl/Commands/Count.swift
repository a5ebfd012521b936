import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl count`.
struct Count: Command {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Count the entries of the watch list, by country, ASN, state or any field.",
        discussion: """
            Without --by, the number of entries is printed. The largest group comes first. An entry with several tags \
            is in several groups, and entries without a value are in the group (none).

            Exit status: 1 if nothing matches.

            Examples:
              ipctl count --by country
              ipctl count --by as --tag prod --limit 10
              ipctl count --state stale                 only the number, for scripts
              ipctl count --by tag --format csv
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Group the entries by this field of the record, or by state, tag, origin or place.",
            valueName: "field"), completion: .list(Count.keys))
    var by: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show at most this many groups (default: \(Control.Count.defaultLimit)).", valueName: "number"),
        transform: { try WholeNumber.option($0, in: 1...Int64(Limits.groupsPerReply)) })
    var limit: Int64?

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup(title: "Output") var rows: RowOptions

    static let repeatableOptions = FilterOptions.repeatable
    static let keys = ["state", "tag", "origin", "place"] + FilterOptions.recordFields

    func validate() throws {
        if let by { try Choice.check("field", [by], in: Self.keys) }
        guard by != nil || limit == nil && !rows.isCustom else {
            throw ValidationError("--limit, --format and --columns require --by")
        }
        try rows.check(names: [by ?? "", "count"], isJSON: options.json)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        output.isPaged = true
        let parameters = Control.Count.Parameters(by: by ?? "state", filter: filters.filter, limit: limit)
        let reply = try connection.call("Count", parameters)
        let counted = try reply.decoded(Control.Count.Reply.self)
        if output.isJSON {
            output.print(reply.parameters)
        } else if let by, rows.isCustom {
            var writer = RowPrinter(rows, names: [by, "count"])
            writer.write(
                counted.groups.map { group in
                    { $0 == "count" ? .int(Int64(group.count)) : .string(group.key) }
                }, to: output)
            noteOthers(counted)
        } else if let by {
            guard counted.total > 0 else { throw filters.noMatches }
            let lines = CountTable(by: by, counted).lines(on: output.terminal)
            output.print(rows.noHeaders ? Array(lines.dropFirst()) : lines)
            if output.terminal.columns == nil { noteOthers(counted) }
        } else {
            output.print("\(counted.total)")
        }
        return counted.total > 0 ? .done : .negative
    }

    /// Says on standard error that groups are missing. A user who sets --limit knows that there may be more.
    private func noteOthers(_ counted: Control.Count.Reply) {
        guard counted.others > 0, limit == nil else { return }
        Output.printMessage(CountTable.note(others: counted.others))
    }
}
