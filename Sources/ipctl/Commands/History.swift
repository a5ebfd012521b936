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

            Without addresses, the changes of all entries are shown, or of the entries that match the filters as they \
            are now. With --format, --columns or --sort, each changed field is a row. Columns: at, address, \
            field, old, new, seq. With --sort, the rows of the newest changes, up to --limit, are sorted by a column.

            Exit status: 1 if there are no changes, or if an address is not on the watch list.

            Examples:
              ipctl history 1.1.1.1
              ipctl history 1.1.1.1 --limit 1           the last change
              ipctl history --limit 10                  the last changes of all entries
              ipctl history --tag prod --since 24h
              ipctl history --tag prod --since 7d --field country --format csv
              ipctl history --since 7d --sort field     all changes of a field together
              ipctl history 1.1.1.1 8.8.8.8 --since 2026-11-20 --until "2026-11-21 12:00"
              ipctl list --changed-since 24h            addresses that changed within a day
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "IPv4 or IPv6 addresses on the watch list.", completion: .watchedAddresses)
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

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show at most this many changes (default: \(Control.History.defaultLimit)).", valueName: "number"),
        transform: { try WholeNumber.option($0, in: 1...Int64(Limits.changesPerPage)) })
    var limit: Int64?

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup var order: SortOptions

    @OptionGroup(title: "Output") var rows: RowOptions

    static let repeatableOptions = FilterOptions.repeatable.union(["--field"])

    static let names = ["at", "address", "field", "old", "new", "seq"]

    func validate() throws {
        try Choice.check("field", field, in: FilterOptions.recordFields)
        try rows.check(names: Self.names, isJSON: options.json)
        try order.check(names: Self.names, isJSON: options.json)
        guard addresses.isEmpty || filters.filter == nil else {
            throw ValidationError("give addresses or filters, not both")
        }
    }

    func prepare() throws(CommandError) {
        try TimePoint.checkPeriod(since: since, until: until)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        output.isPaged = true
        let named = addresses.isEmpty ? nil : try AddressList(arguments: addresses, files: []).uniqueAddresses
        let hasConditions = since != nil || until != nil || !field.isEmpty
        if let address = named?.first, named?.count == 1, !hasConditions, !isInRows {
            return try printAll(of: address, on: connection, output)
        }
        let limit = Int(self.limit ?? Int64(Control.History.defaultLimit))
        let changes = try newest(limit, of: named, on: connection)
        print(Array(changes.prefix(limit)), isOfOne: named?.count == 1, output)
        if changes.count > limit, self.limit == nil {
            Output.printMessage("only the newest \(Times.grouped(limit)) changes are shown; --limit shows more")
        }
        guard changes.isEmpty else { return .done }
        guard !output.isJSON else { return .negative }
        throw CommandError(status: .negative, message: "no changes match")
    }

    /// Whether each changed field is a row.
    private var isInRows: Bool { rows.isCustom || order.sort != nil }

    /// Returns the newest changes, newest first: one more than the limit if there are more.
    ///
    /// - Parameter named: the addresses; nil for all entries that match the filters.
    private func newest(
        _ limit: Int, of named: [String]?, on connection: DaemonConnection
    ) throws(CommandError) -> [Interface.Change] {
        var parameters = Control.History.Parameters(
            addresses: named, filter: filters.filter, since: since?.milliseconds, until: until?.milliseconds,
            fields: field.isEmpty ? nil : field)
        var changes: [Interface.Change] = []
        repeat {
            parameters.limit = Int64(min(limit + 1 - changes.count, Limits.changesPerPage))
            let page = try connection.call("History", parameters).decoded(Control.History.Reply.self)
            changes += page.changes
            parameters.before = page.next
        } while changes.count <= limit && parameters.before != nil
        return changes
    }

    private func print(_ changes: [Interface.Change], isOfOne: Bool, _ output: Output) {
        if output.isJSON {
            output.print(.object(["changes": .array(changes.map { Self.document(of: $0) })]))
        } else if isInRows {
            var writer = RowPrinter(rows, names: Self.names)
            var fields: [(String) -> Value?] = []
            for change in changes {
                for field in change.fields { fields.append { Self.value($0, of: field, in: change) } }
            }
            writer.write(order.sorted(fields) { $0($1) }, to: output)
        } else {
            for change in changes {
                output.print(ChangeLines(change: change, hasAddress: !isOfOne).lines(on: output.terminal))
            }
        }
    }

    /// Returns a change as in the daemon's replies.
    private static func document(of change: Interface.Change) -> Value {
        let fields = change.fields.map { field in
            Value.object([
                "field": .string(field.field), "old": field.old.map { .string($0) } ?? .null,
                "new": field.new.map { .string($0) } ?? .null,
            ])
        }
        return .object([
            "seq": .int(change.seq), "at": .int(change.at), "address": .string(change.address),
            "fields": .array(fields),
        ])
    }

    private static func value(_ name: String, of field: Interface.FieldChange, in change: Interface.Change) -> Value? {
        switch name {
        case "at": .int(change.at)
        case "address": .string(change.address)
        case "seq": .int(change.seq)
        default: EventRows.value(name, of: field)
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
            if case .notWatched? = error.controlError, !output.isJSON {
                printRemovals(of: address, atMost: parameters.limit ?? .max, on: connection, output)
            }
            throw error
        }
        let changes = try reply.decoded(Control.History.Reply.self).changes
        guard !output.isJSON else {
            output.print(reply.parameters)
            return changes.isEmpty ? .negative : .done
        }
        for change in changes { output.print(ChangeLines(change: change).lines(on: output.terminal)) }
        let rest = (parameters.limit ?? .max).clampedSubtracting(Int64(changes.count))
        if rest > 0 { try printWatchListChanges(of: address, atMost: rest, on: connection, output) }
        guard !changes.isEmpty else {
            throw CommandError(status: .negative, message: "no changes recorded for \(address.printable)")
        }
        return .done
    }

    /// Prints when and by whom an address that is not watched was removed. If the events cannot be read, a note says
    /// so, because the daemon's reply about the address is still the result.
    private func printRemovals(
        of address: String, atMost limit: Int64, on connection: DaemonConnection, _ output: Output
    ) {
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
