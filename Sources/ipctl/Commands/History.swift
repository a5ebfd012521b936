import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl history`.
struct History: Command, TakesAddresses {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show the changes in the records of addresses, newest first.",
        discussion: """
            Each line shows a fact with its old and its new value. If only one address and no other conditions are \
            given, the last lines show when the address was added to the watch list and removed from it, and by whom \
            if a client did it. History is kept for the time in the configuration (keep-history, 90 days by default). \
            The changes are deleted when the address is removed.

            For a host name, its events are shown, even if it is no longer watched: when it got or lost an address, \
            and when it could not be resolved. Of the options, only --limit and --all apply to a name.

            Without addresses, the changes of all entries are shown, or of the entries that match the filters as they \
            are now. With --format, --columns or --sort, each changed field is a row. Columns: at, address, \
            field, old, new, seq. With --sort, the rows are sorted by a column; without --all, only those of the \
            newest changes, up to --limit. --old and --new must equal the values in these columns; "" stands for no value.

            Exit status: 1 if there are no changes or events, or if an address is not on the watch list.

            Examples:
              ipctl history 1.1.1.1
              ipctl history 1.1.1.1 --limit 1           the last change
              ipctl history www.example.com             its addresses over time
              ipctl history --limit 10                  the last changes of all entries
              ipctl history --tag prod --since 24h
              ipctl history --all --tag prod --since 7d --field country --old Germany
              ipctl history --since 7d --sort field     all changes of a field together
              ipctl history 1.1.1.1 8.8.8.8 --since 2026-11-20 --until "2026-11-21 12:00"
              ipctl list --changed-since 24h            addresses that changed within a day
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "IPv4 or IPv6 addresses on the watch list, or a host name.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only changes since this time: 24h (ago), 2026-11-20, \"2026-11-20 08:00\".", valueName: "time"),
        transform: { try TimePoint(option: $0) })
    var since: TimePoint?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Only changes at or before this time.", valueName: "time"),
        transform: { try TimePoint(option: $0) })
    var until: TimePoint?

    @Option(
        help: ArgumentHelp("Only changes to this field; can be repeated.", valueName: "name"),
        completion: .list(FilterOptions.recordFields))
    var field: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("Only changes from exactly this value.", valueName: "value"))
    var old: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only changes to exactly this value.", valueName: "value"))
    var new: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show at most this many changes (default: \(Control.History.defaultLimit)).", valueName: "number"),
        transform: { try WholeNumber.option($0, in: 1...Int64(Limits.changesPerPage), orElse: "use --all") })
    var limit: Int64?

    @Flag(help: "Show all matching changes.")
    var all = false

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup var order: SortOptions

    @OptionGroup(title: "Output") var rows: RowOptions

    static let repeatableOptions = FilterOptions.repeatable.union(["--field"])

    func validate() throws {
        try Choice.check("field", field, in: FilterOptions.recordFields)
        try rows.check(names: ChangePrinter.names, isJSON: options.json)
        try order.check(names: ChangePrinter.names, isJSON: options.json)
        guard addresses.isEmpty || filters.filter == nil else {
            throw ValidationError("give addresses or filters, not both")
        }
        if all, limit != nil { throw ValidationError("give --limit or --all, not both") }
    }

    func prepare() throws(CommandError) {
        try TimePoint.checkPeriod(since: since, until: until)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        output.isPaged = true
        let arguments = NamedArguments(addresses)
        if !arguments.names.isEmpty { return try printEvents(of: arguments, on: connection, output) }
        let named = addresses.isEmpty ? nil : try AddressList(arguments: addresses, files: []).uniqueAddresses
        let single = named?.count == 1 && !hasConditions && !isInRows ? named?.first : nil
        if let single, !all { return try printAll(of: single, on: connection, output) }
        var printer = ChangePrinter(rows, order, isInRows: isInRows, isOfOne: named?.count == 1)
        // Sorted rows and a JSON document need all changes at once; other output is printed page by page.
        let isWhole = output.isJSON || order.sort != nil
        var kept: [Interface.Change] = []
        var shown = 0
        let hasMore: Bool
        do throws(CommandError) {
            hasMore = try readNewest(of: named, on: connection) { changes throws(CommandError) in
                shown += changes.count
                guard !isWhole else { return kept += changes }
                printer.print(changes, output)
                try output.flush()
            }
        } catch {
            if let single { printRemovals(of: single, atMost: .max, ifRefused: error, on: connection, output) }
            throw error
        }
        if isWhole || shown == 0 { printer.print(kept, output) }
        if let single, !output.isJSON { try printWatchListChanges(of: single, atMost: .max, on: connection, output) }
        if hasMore { noteLimit(shown) }
        guard shown == 0 else { return .done }
        guard !output.isJSON else { return .negative }
        throw single.map { Self.noChanges(of: $0) } ?? CommandError(status: .negative, message: "no changes match")
    }

    /// A user who sets `--limit` knows that there may be more.
    func noteLimit(_ shown: Int, _ what: String = "changes") {
        guard limit == nil else { return }
        Output.printMessage("only the newest \(Times.grouped(shown)) \(what) are shown; --all shows the rest")
    }

    private static func noChanges(of address: String) -> CommandError {
        CommandError(status: .negative, message: "no changes recorded for \(address.printable)")
    }

    var hasConditions: Bool {
        since != nil || until != nil || !field.isEmpty || old != nil || new != nil
    }

    /// Whether each changed field is a row.
    var isInRows: Bool { rows.isCustom || order.sort != nil }

    /// Reads the newest changes up to the limit, newest first.
    ///
    /// - Parameters:
    ///   - named: the addresses; nil for all entries that match the filters.
    ///   - each: called with the changes of each page that has any.
    /// - Returns: whether there are more changes. With `--limit`, more may follow even if it is false.
    private func readNewest(
        of named: [String]?, on connection: DaemonConnection, each: ([Interface.Change]) throws(CommandError) -> Void
    ) throws(CommandError) -> Bool {
        var parameters = Control.History.Parameters(
            addresses: named, filter: filters.filter, since: since?.milliseconds, until: until?.milliseconds,
            fields: field.isEmpty ? nil : field, old: old, new: new)
        var rest = all ? Int.max : Int(limit ?? Int64(Control.History.defaultLimit))
        while true {
            // One extra change shows whether there are more.
            parameters.limit = Int64(min(rest, Limits.changesPerPage - 1) + 1)
            let page = try connection.call("History", parameters).decoded(Control.History.Reply.self)
            let changes = Array(page.changes.prefix(rest))
            if !changes.isEmpty { try each(changes) }
            guard page.changes.count <= rest else { return true }
            rest -= changes.count
            // Without this, a search for rare changes would go on after the last one that is printed.
            guard let next = page.next, rest > 0 || limit == nil else { return false }
            parameters.before = next
        }
    }

    /// Prints the changes of one address, and when it was added and removed.
    ///
    /// - Parameter address: in canonical form.
    private func printAll(
        of address: String, on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) -> ExitStatus {
        let parameters = Control.History.Parameters(
            address: address, limit: limit ?? Int64(Control.History.defaultLimit))
        let reply: ClientConversation.IncomingReply
        do throws(CommandError) {
            reply = try connection.call("History", parameters)
        } catch {
            printRemovals(of: address, atMost: parameters.limit ?? .max, ifRefused: error, on: connection, output)
            throw error
        }
        let page = try reply.decoded(Control.History.Reply.self)
        let changes = page.changes
        guard !output.isJSON else {
            output.print(reply.parameters)
            return changes.isEmpty ? .negative : .done
        }
        for change in changes { output.print(ChangeLines(change: change).lines(on: output.terminal)) }
        let rest = (parameters.limit ?? .max).clampedSubtracting(Int64(changes.count))
        if rest > 0 { try printWatchListChanges(of: address, atMost: rest, on: connection, output) }
        if page.next != nil { noteLimit(changes.count) }
        guard !changes.isEmpty else { throw Self.noChanges(of: address) }
        return .done
    }

    /// Prints when and by whom an address was removed, if a call was refused because the address is not watched. If the
    /// events cannot be read, a note says so, because the daemon's reply about the address is still the result.
    private func printRemovals(
        of address: String, atMost limit: Int64, ifRefused error: CommandError, on connection: DaemonConnection,
        _ output: Output
    ) {
        guard case .notWatched? = error.controlError, !output.isJSON else { return }
        do throws(CommandError) {
            try printWatchListChanges(of: address, atMost: limit, on: connection, output)
        } catch {
            Output.printMessage("the additions and removals of \(address.printable) cannot be read: \(error.message)")
        }
    }

    /// Prints when and by whom the address was added to the watch list and removed from it, newest first. All of these
    /// events are older than the changes, which are deleted when the address is removed.
    ///
    /// - Parameter limit: the maximum number of events.
    private func printWatchListChanges(
        of address: String, atMost limit: Int64, on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) {
        let changes = try EventHistory(on: connection).watchListChanges(of: address).suffix(Int(clamping: limit))
        output.print(changes.reversed().map { EventLine(event: $0, now: Times.now).datedLine(on: output.terminal) })
    }
}
