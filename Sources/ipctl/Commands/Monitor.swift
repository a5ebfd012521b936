import ArgumentParser
import Control
import Glibc
import RecordKeeping
import Varlink

/// The command `ipctl monitor`.
struct Monitor: Command, TakesAddresses {
    static let configuration = CommandConfiguration(
        commandName: "monitor", abstract: "Print events as they happen, one line each.",
        discussion: """
            With --since or --after, the kept events since that time, or after that number, are printed first; with \
            --until, the command ends after the last kept event up to that time. With --cursor-file, the number and the \
            time of the last event are saved in the file, and the next run continues after that event: no event is \
            missed or printed twice. (After SIGKILL, the last events may be printed again.) If the file does not \
            exist, the command starts with the next event. An empty file and a cursor of another database are errors. \
            --since and --after take precedence over the number in the file, and a message says so.

            When the daemon restarts, the command reconnects, reports this on standard error, and continues after the \
            last event.

            An argument can also be a watched host name: its own events are printed; to see those of its addresses as \
            well, give them too. A name that is not watched, or an address that is not on the watch list, has no \
            events; a warning on standard error says so, unless the address is in a block or a range.

            With --search, --state, --tag and the other filters of list, only the events about entries that match when \
            the event is sent are printed, and those about the network and the provider.

            With --format or --columns, each event is a row. A change to several fields has a row for each of them; \
            with --field, only for those fields. Columns: at, kind, address, field, old, new, message, user, seq, name. \
            Events are printed as they happen, so there is no --sort; use ipctl history --sort or sort(1).

            With --exec, the command after it runs for each event, without a shell. It gets the event as a line of \
            JSON on standard input, and in the environment: IPRECORD_EVENT, _ADDRESS, _SEQ, _FIELDS, _OLD_country, \
            _NEW_country and more. If it fails, it runs again after a delay that grows to a minute; later events wait \
            unless --jobs allows others. The cursor moves when the command has succeeded, so each event is handled at \
            least once.

            Exit status with --until: 1 if no events match.

            Kinds: \(PublishedEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")).

            Examples:
              ipctl monitor
              ipctl monitor --kind changed --kind failed
              ipctl monitor --kind changed --field country --tag prod --not-country DE
              ipctl monitor --after 0 --kind networkLost       all kept events of a kind
              ipctl monitor --since 24h                        a day's events and new ones
              ipctl monitor --since 7d --until 1d --kind changed
              ipctl monitor --kind changed --field city --format csv
              ipctl monitor 203.0.113.0/24 198.51.100.7-198.51.100.9
              ipctl monitor --json --cursor-file ~/iprecord.cursor 1.1.1.1
              ipctl monitor --kind changed --exec sh -c 'echo "$IPRECORD_ADDRESS"'
              ipctl monitor --cursor-file ~/hook.cursor --jobs 4 --exec logger -t ipctl
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Print the kept events after this number first; 0 for all.", valueName: "seq"),
        transform: { try WholeNumber.option($0, in: 0...Int64.max) })
    var after: Int64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Print the kept events since this time first: 24h (ago), 2026-11-20, \"2026-11-20 08:00\".",
            valueName: "time"), transform: { try TimePoint(option: $0) })
    var since: TimePoint?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "End after the last kept event up to this time; requires --since or --after.", valueName: "time"),
        transform: { try TimePoint(option: $0) })
    var until: TimePoint?

    @Option(
        help: ArgumentHelp("Continue after the last event of the previous run, saved in this file.", valueName: "file"),
        completion: .file())
    var cursorFile: String?

    @Option(
        help: ArgumentHelp("Only events of this kind; can be repeated.", valueName: "kind"),
        completion: .eventKinds)
    var kind: [String] = []

    @Option(
        help: ArgumentHelp(
            "Leave out changes in which this field did not change; can be repeated.", valueName: "name"),
        completion: .list(FilterOptions.recordFields))
    var field: [String] = []

    @Argument(help: "Leave out events about other addresses and host names.", completion: .watchedAddresses)
    var addresses: [String] = []

    @OptionGroup var reconnecting: ReconnectOptions

    @OptionGroup(title: "Filters") var filters: EntryOptions

    @OptionGroup(title: "Output") var rows: RowOptions

    @OptionGroup(title: "Commands") var hook: HookOptions

    static let repeatableOptions: Set<String> = EntryOptions.repeatable.union(["--kind", "--field"])

    func validate() throws {
        try Choice.check("kind", kind, in: PublishedEvent.Kind.allCases.map(\.rawValue))
        try Choice.check("field", field, in: FilterOptions.recordFields)
        try rows.check(names: EventRows.names, isJSON: options.json)
        guard after == nil || since == nil else { throw ValidationError("give --after or --since, not both") }
        guard until == nil || after != nil || since != nil else {
            throw ValidationError("--until requires --since or --after")
        }
        guard until == nil || cursorFile == nil else {
            throw ValidationError("give --until or --cursor-file, not both")
        }
        guard !hook.exec.isEmpty else { return }
        guard until == nil else { throw ValidationError("give --until or --exec, not both") }
        guard !options.json, !rows.isCustom, !rows.noHeaders else {
            throw ValidationError("--exec prints no events, so it takes neither --json nor the options for rows")
        }
    }

    func prepare() throws(CommandError) {
        try TimePoint.checkPeriod(since: since, until: until)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        if let until { return try printKept(until: until.milliseconds, on: connection, output) }
        do throws(CommandError) {
            try run(
                on: connection, output,
                CursorStart(file: cursorFile.map { CursorFile(path: $0) }, connection: connection))
        } catch  where error.signal != nil {
            // The command normally runs until a signal ends it, so a signal is not an error.
            throw CommandError(status: error.status, message: "", signal: error.signal)
        }
    }

    private func run(on connection: DaemonConnection, _ output: Output, _ start: CursorStart) throws(CommandError)
        -> Never
    {
        let selected = try selected()
        try hook.checkProgram()
        connection.interruption = try SignalPipe(
            [SIGINT, SIGTERM, SIGHUP] + (hook.exec.isEmpty ? [] : [SIGCHLD]), restartsCalls: false)
        let saved = try start.prepare(overriddenBy: after != nil ? "--after" : since != nil ? "--since" : nil)
        try warnAboutUnwatched(on: connection)
        let after = try firstSeq(on: connection)
        let position = try start.cursor(saved, orAfter: after)
        let settings = MonitorSession.Settings(
            kinds: kind, addresses: selected.addresses, names: selected.names, fields: field, entries: entries,
            cursor: start.file,
            reconnects: !reconnecting.noReconnect, printer: printer)
        do throws(CommandError) {
            guard hook.exec.isEmpty else {
                try HookSession(on: connection, after: position, settings, hook).run()
            }
            try MonitorSession(on: connection, output, after: position, settings).run()
        } catch {
            throw after == nil ? start.addingFileName(error) : error
        }
    }

    /// The filter for entries; nil if there are no conditions.
    private var entries: Interface.Filter? { filters.filter == Interface.Filter() ? nil : filters.filter }

    private var printer: RowPrinter? { rows.isCustom ? RowPrinter(rows, names: EventRows.names) : nil }

    /// Returns the number of the event after which the kept events are printed; nil to continue or to print only new
    /// events.
    private func firstSeq(on connection: DaemonConnection) throws(CommandError) -> Int64? {
        guard let since else { return after }
        let history = try EventHistory(on: connection)
        // The numbers before the first event may have been skipped, so they cannot be used as a cursor.
        return try history.boundary(at: since.milliseconds).since.map { $0 - 1 } ?? history.last
    }

    private func printKept(
        until: Int64, on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) -> ExitStatus {
        guard until <= Times.now else {
            throw CommandError(
                status: .usage, message: "--until must not be in the future",
                advice: "To end the command later, use --timeout.")
        }
        output.isPaged = true
        let selected = try selected()
        try warnAboutUnwatched(on: connection)
        let start = try firstSeq(on: connection) ?? 0
        let history = try EventHistory(on: connection)
        try history.requireEvent(start)
        let period = KeptPeriod(
            history: history,
            filter: EventFilter(kinds: kind, addresses: selected.addresses, names: selected.names, fields: field),
            entries: entries, printer: printer, fields: field)
        guard try period.print(after: start, until: until, output) == 0 else { return .done }
        guard !output.isJSON else { return .negative }
        throw CommandError(status: .negative, message: "no events match")
    }

    /// Returns the addresses and the host names of all arguments in their canonical form. If there are neither, all
    /// events are selected.
    private func selected() throws(CommandError) -> (addresses: [String], names: [String]) {
        let named = NamedArguments(addresses)
        let selected = try named.addresses(files: [])?.uniqueAddresses ?? []
        // The call would be longer than the longest message that the daemon accepts.
        guard selected.count <= Limits.addressesPerRequest else {
            throw CommandError(
                ControlError(.tooMany(limit: Limits.addressesPerRequest, .addressesPerRequest)), from: "")
        }
        return (selected, named.names.map(\.description))
    }

    /// Warns about addresses and host names that are not watched, and therefore have no events. Most addresses of a
    /// block or a range are usually not watched, so there is no warning about them.
    private func warnAboutUnwatched(on connection: DaemonConnection) throws(CommandError) {
        let named = NamedArguments(addresses)
        let watched = try WatchedNames.found(among: named.names, on: connection)
        for name in named.names where watched[name] == nil {
            Output.printMessage(
                "the host name \(name) is not watched, so it has no events; add it with: ipctl add \(name)")
        }
        let single = named.others.filter { !$0.contains("/") && !$0.contains("-") }
        guard !single.isEmpty else { return }
        for address in try AddressList(arguments: single, files: []).uniqueAddresses {
            // Only watched addresses have a history, and reading a history makes no call to the provider.
            let reply = try connection.reply(to: "History", Control.History.Parameters(address: address, limit: 1))
            guard let name = reply.error,
                case .notWatched(let address) = ControlError(name: name, parameters: reply.parameters)
            else { continue }
            Output.printMessage(
                "\(address.printable) is not on the watch list, so it has no events; add it with: ipctl add "
                    + address.printable)
        }
    }
}
