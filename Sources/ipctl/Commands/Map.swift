import ArgumentParser
import Control
import Varlink

/// The command `ipctl map`.
struct Map: Command {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Show the addresses of the watch list on a world map.",
        discussion: """
            Each mark shows the addresses in one place, and the worst of their states. A mark for ten or more \
            addresses is bright.

            Exit status: 1 if nothing matches.

            Examples:
              ipctl map
              ipctl map --tag prod --state stale
              ipctl map --search 203.0.113.0/24
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Only entries with this tag.", valueName: "tag"), completion: .usedTags)
    var tag: String?

    @Option(help: List.stateHelp, completion: .entryStates)
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Only entries with this text in address, tags, note or record, or in this CIDR block.", valueName: "text"))
    var search: String?

    func validate() throws {
        if let tag { try TagText.check(tag) }
        if let state { try Choice.check("state", [state], in: List.states) }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let size = output.terminal.columns == nil ? WindowSize.fallback : WindowSize.standardOutput
        // One row is left for the shell's prompt.
        let rows = size.rows - WorldMap.legendRows - 1
        var counts = MapCounts(projection: Projection(columns: size.columns, rows: rows))
        let pages = ListPages(parameters: Control.List.Parameters(search: search, state: state, tag: tag))
        try pages.read(as: Control.List.Reply.self, from: connection) { reply, page throws(CommandError) in
            for entry in page.entries { counts.add(entry) }
            guard output.isJSON else { return }
            output.print(reply.parameters)
            try output.flush()
        }
        guard !output.isJSON else { return counts.total > 0 ? .done : .negative }
        guard counts.total > 0 else {
            throw List.noMatches(isFiltered: search != nil || state != nil || tag != nil)
        }
        output.print(WorldMap(counts: counts, columns: size.columns).canvas.lines(on: output.terminal))
        return .done
    }
}
