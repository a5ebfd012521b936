import Control
import RecordKeeping
import Varlink

/// `ipctl history` of a host name.
extension History {
    /// Prints the kept events of one host name, newest first.
    func printEvents(
        of arguments: NamedArguments, on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) -> ExitStatus {
        guard arguments.names.count == 1, arguments.others.isEmpty, let name = arguments.names.first else {
            throw CommandError(status: .usage, message: "give a single host name, or addresses")
        }
        guard !hasConditions, !isInRows else {
            throw CommandError(status: .usage, message: "of the options, only --limit and --all apply to a host name")
        }
        var rest = all ? Int64.max : limit ?? Int64(Control.NameHistory.defaultLimit)
        var parameters = Control.NameHistory.Parameters(name: name.description)
        var shown = 0
        while rest > 0 {
            parameters.limit = min(rest, Int64(Limits.changesPerPage))
            let reply = try connection.call("NameHistory", parameters)
            let events = try reply.decoded(Control.NameHistory.Reply.self).events
            let lines = events.map { EventLine(event: $0, now: Times.now).datedLine(on: output.terminal) }
            output.print(reply.parameters, or: lines)
            shown += events.count
            rest -= Int64(events.count)
            guard Int64(events.count) == parameters.limit, let seq = events.last?.seq else { break }
            parameters.before = seq
        }
        if rest == 0, limit == nil {
            parameters.limit = 1
            let older = try connection.call("NameHistory", parameters).decoded(Control.NameHistory.Reply.self).events
            if !older.isEmpty { noteLimit(shown, "events") }
        }
        guard shown == 0 else { return .done }
        guard !output.isJSON else { return .negative }
        throw CommandError(status: .negative, message: "no events recorded for \(name)")
    }
}
