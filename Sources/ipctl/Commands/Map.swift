import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl map`
struct Map: Command {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Show where the addresses of the watch list are, on a map of the world.",
        discussion: """
            Each mark stands for the addresses of one place, in the worst state that one of them is in; where ten or more \
            are, it is bright.

            Examples:
              ipctl map
              ipctl map --tag prod --state stale
              ipctl map --search 203.0.113.0/24
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Only what has this tag.", valueName: "tag"), completion: .usedTags)
    var tag: String?

    @Option(
        help: ArgumentHelp(
            "Only what is in this state: \(EntryState.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "state"), completion: .entryStates)
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Only what matches: a part of the address, tags, note or record, or a CIDR block.", valueName: "text"))
    var search: String?

    func validate() throws {
        if let tag { try TagText.check(tag) }
        let states = EntryState.allCases.map(\.rawValue)
        if let state, !states.contains(state) {
            throw ValidationError("there is no state \"\(state)\"; the states are \(states.joined(separator: ", "))")
        }
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let size = output.terminal.columns == nil ? WindowSize.usual : WindowSize.standardOutput
        // A row is left for the prompt.
        let rows = size.rows - WorldMap.legendRows - 1
        var tally = MapTally(projection: Projection(columns: size.columns, rows: rows))
        let pages = ListPages(Control.List.Parameters(search: search, state: state, tag: tag))
        try pages.read(from: connection) { reply, page throws(Complaint) in
            for entry in page.entries { tally.count(entry) }
            guard output.isJSON else { return }
            output.print(reply.parameters)
            try output.flush()
        }
        guard tally.total > 0 else {
            throw Complaint(status: .notAsAsked, message: "no address of the watch list matches")
        }
        guard !output.isJSON else { return .done }
        output.print(WorldMap(tally, columns: size.columns).canvas.lines(on: output.terminal))
        return .done
    }
}
