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
            addresses is bright. With --json, the daemon's replies are printed: the counts by state, then the counts \
            by place for each state.

            Exit status: 1 if nothing matches.

            Examples:
              ipctl map
              ipctl map --tag prod --state stale
              ipctl map --search 203.0.113.0/24
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    static let repeatableOptions = FilterOptions.repeatable

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let size = output.terminal.columns == nil ? WindowSize.fallback : WindowSize.standardOutput
        // One row is left for the shell's prompt.
        let rows = size.rows - WorldMap.legendRows - 1
        var counts = MapCounts(projection: Projection(columns: size.columns, rows: rows))
        for state in try states(on: connection, output) {
            var filter = filters.filter ?? Interface.Filter()
            filter.states = [state]
            let reply = try connection.call(
                "Count", Control.Count.Parameters(by: "place", filter: filter, limit: Int64(Limits.groupsPerReply)))
            counts.add(try reply.decoded(Control.Count.Reply.self), of: state)
            if output.isJSON { output.print(reply.parameters) }
        }
        guard !output.isJSON else { return counts.total > 0 ? .done : .negative }
        guard counts.total > 0 else { throw filters.noMatches }
        output.print(WorldMap(counts: counts, columns: size.columns).canvas.lines(on: output.terminal))
        return .done
    }

    /// Returns the states of the entries, and prints how many entries have each.
    private func states(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> [String] {
        let reply = try connection.call("Count", Control.Count.Parameters(by: "state", filter: filters.filter))
        if output.isJSON { output.print(reply.parameters) }
        return try reply.decoded(Control.Count.Reply.self).groups.map(\.key)
    }
}
