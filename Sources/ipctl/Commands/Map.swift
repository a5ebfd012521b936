import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl map`.
struct Map: Command {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Show the addresses of the watch list on a world map.",
        discussion: """
            Each mark shows the addresses in one place, and the worst of their states. A mark for ten or more \
            addresses is bright.

            Examples:
              ipctl map
              ipctl map --tag prod --state stale
              ipctl map --search 203.0.113.0/24
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Only entries with this tag.", valueName: "tag"), completion: .usedTags)
    var tag: String?

    @Option(
        help: ArgumentHelp(
            "Only entries in this state: \(EntryState.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "state"), completion: .entryStates)
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Only entries with this text in address, tags, note or record, or in this CIDR block.", valueName: "text"))
    var search: String?

    func validate() throws {
        if let tag { try TagText.check(tag) }
        let states = EntryState.allCases.map(\.rawValue)
        if let state, !states.contains(state) {
            throw ValidationError("unknown state \"\(state)\"; expected one of: \(states.joined(separator: ", "))")
        }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let size = output.terminal.columns == nil ? WindowSize.fallback : WindowSize.standardOutput
        // One row is left for the shell's prompt.
        let rows = size.rows - WorldMap.legendRows - 1
        var counts = MapCounts(projection: Projection(columns: size.columns, rows: rows))
        let pages = ListPages(Control.List.Parameters(search: search, state: state, tag: tag))
        try pages.read(from: connection) { reply, page throws(CommandError) in
            for entry in page.entries { counts.add(entry) }
            guard output.isJSON else { return }
            output.print(reply.parameters)
            try output.flush()
        }
        guard counts.total > 0 else {
            throw CommandError(status: .negative, message: "no entry on the watch list matches")
        }
        guard !output.isJSON else { return .done }
        output.print(WorldMap(counts, columns: size.columns).canvas.lines(on: output.terminal))
        return .done
    }
}
