import ArgumentParser
import Control
import Glibc
import RecordKeeping
import Varlink

/// The command `ipctl enrich`.
struct Enrich: Command {
    static let configuration = CommandConfiguration(
        commandName: "enrich", abstract: "Add the records of the addresses in log lines to the lines.",
        discussion: """
            Lines from files or standard input are printed with the fields of the addresses in them. Nothing else in \
            a line changes, and lines keep their order. Only what the daemon knows already is added, and no address is \
            sent to the provider. A record that is not fresh is marked with its state. If there is no record of the \
            provider, but one of the daemon's local databases, its fields are added, marked with the state and as \
            offline.

            With --lookup, each address in the lines without a fresh record is sent to the provider by the daemon, \
            except private and other special-purpose addresses. With --watch, such addresses are put on the watch \
            list, and the provider gets them whenever their records are refreshed.

            text: an annotation such as [1.1.1.1 countryCode=AU city=Sydney] at the end of the line. jsonl: a member \
            "iprecord" with an object for each address. csv: a column for each field, and for the state. logfmt: a \
            pair for each field, such as src.countryCode=AU.

            With filters or --only-known, only lines with a matching address are printed. The filters are those of \
            list, but the address need not be on the watch list.

            While the daemon is away, lines are passed on unchanged.

            \(FieldValues.help)

            Examples:
              ipctl enrich access.log
              grep sshd access.log | ipctl enrich --only-known
              ipctl enrich access.log --inline --template "({countryCode}, {isp})"
              ipctl enrich --format jsonl --field country --field asn events.jsonl
              ipctl enrich --format csv --column client requests.csv
              ipctl enrich --format logfmt --field isp app.log
              ipctl enrich --lookup --wait 2s access.log
              ipctl enrich --not-country DE --watch 24h access.log

            Exit status: 1 if filters are given and no line matches; 69 if lines were passed on while the daemon was \
            away.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Files; - for standard input (default: standard input).", completion: .file())
    var files: [String] = []

    @OptionGroup var form: EnrichOptions

    @Flag(help: "Have the daemon look up addresses without a fresh record: it sends them to the provider.")
    var lookup = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --lookup, hold a line at most this long for new records: 2s, 500ms (default: 5s).",
            valueName: "duration"), transform: { try TimeSpan(option: $0, upTo: Enrich.maxWait) })
    var wait: TimeSpan?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Watch each address in the lines until it has not been seen for this long: 1h, 7d.", valueName: "duration"),
        transform: { try TimeSpan(option: $0) })
    var watch: TimeSpan?

    @Flag(help: "Print only lines with an address of which a field is known.")
    var onlyKnown = false

    @OptionGroup(title: "Filters") var filters: FilterOptions

    static let repeatableOptions = FilterOptions.repeatable.union(["--field", "--column"])

    private static let maxWait = TimeSpan("24h")

    func validate() throws {
        guard wait == nil || lookup else { throw ValidationError("--wait requires --lookup") }
        if watch?.milliseconds == 0 { throw ValidationError("--watch must be longer than 0") }
        guard form.format != .csv || files.count <= 1 else {
            throw ValidationError("give one CSV file at a time, because each has a header")
        }
        guard !files.isEmpty || isatty(STDIN_FILENO) == 0 else {
            throw ValidationError("give a file, or - for standard input")
        }
    }

    func prepare() throws(CommandError) {
        guard !options.json else {
            throw CommandError(
                status: .usage, message: "enrich does not print the daemon's replies",
                advice: "For lines in JSON: ipctl enrich --format jsonl")
        }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        var inputs: [InputFile] = []
        for file in files.isEmpty ? ["-"] : files { inputs.append(try InputFile(file)) }
        var entries = EntryAnswers(form.addition)
        entries.conditions = try filters.filter.map { filter throws(CommandError) in try EntryConditions(filter) }
        (entries.requiresFields, entries.looksUp, entries.terminal) = (onlyKnown, lookup, output.terminal)
        if watch != nil { try requireAdministrator(on: connection) }
        connection.interruption = try SignalPipe([SIGINT, SIGTERM, SIGHUP], restartsCalls: false)
        let editor = LineEditor(entries.addition, columns: form.column, hasHeader: !form.noHeaders)
        let settings = EnrichSession.Settings(
            lookupWait: lookup ? wait?.milliseconds ?? Self.defaultWait : nil, watchTime: watch?.milliseconds)
        do throws(CommandError) {
            return try EnrichSession(on: connection, inputs, editor, entries, settings).run()
        } catch  where error.signal != nil {
            // A command that follows a log normally runs until a signal ends it.
            throw CommandError(status: error.status, message: "", signal: error.signal)
        }
    }

    /// Milliseconds for which a line waits for the provider by default, as in `show`.
    private static let defaultWait: Int64 = 5_000

    /// The error is reported before the first line is read, not after the first address is seen.
    private func requireAdministrator(on connection: DaemonConnection) throws(CommandError) {
        let status = try connection.call("Status", Control.Status.Parameters()).decoded(Control.Status.Reply.self)
        guard status.administrator else {
            throw CommandError(.service(.permissionDenied), from: connection.path)
        }
    }
}
