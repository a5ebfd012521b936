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
            With --after, the kept events after that number are printed first. With --cursor-file, the number and the \
            time of the last event are saved in the file, and the next run continues after that event: no event is \
            missed or printed twice. (After SIGKILL, the last events may be printed again.) If the file does not \
            exist, the command starts with the next event. An empty file and a cursor of another database are errors.

            When the daemon restarts, the command reconnects, reports this on standard error, and continues after the \
            last event.

            An address that is not on the watch list has no events; a warning on standard error says so.

            Kinds: \(PublishedEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")).

            Examples:
              ipctl monitor
              ipctl monitor --kind changed --kind failed
              ipctl monitor --kind changed --field country --tag prod
              ipctl monitor --after 0 --kind networkLost       all kept events of a kind
              ipctl monitor --json --cursor-file ~/iprecord.cursor 1.1.1.1
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Print the kept events after this number first; 0 for all.", valueName: "seq"),
        transform: { try WholeNumber.option($0, in: 0...Int64.max) })
    var after: Int64?

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

    @Option(
        help: ArgumentHelp("Leave out events about entries without this tag; can be repeated.", valueName: "tag"),
        completion: .usedTags)
    var tag: [String] = []

    @Argument(help: "Leave out events about other addresses.", completion: .watchedAddresses)
    var addresses: [String] = []

    @OptionGroup var reconnecting: ReconnectOptions

    static let repeatableOptions: Set<String> = ["--kind", "--field", "--tag"]

    func validate() throws {
        try Choice.check("kind", kind, in: PublishedEvent.Kind.allCases.map(\.rawValue))
        try Choice.check("field", field, in: FilterOptions.recordFields)
        for tag in tag { try TagText.check(tag) }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
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
        connection.interruption = try SignalPipe([SIGINT, SIGTERM, SIGHUP], restartsCalls: false)
        let saved = try start.prepare(isRead: after == nil)
        try warnAboutUnwatched(on: connection)
        let position = try start.cursor(saved, orAfter: after)
        let settings = MonitorSession.Settings(
            kinds: kind, addresses: addresses, fields: field, tags: tag, cursor: start.file,
            reconnects: !reconnecting.noReconnect)
        do throws(CommandError) {
            try MonitorSession(on: connection, output, after: position, settings).run()
        } catch {
            throw after == nil ? start.addingFileName(error) : error
        }
    }

    /// Warns about addresses that are not watched, and therefore have no events.
    private func warnAboutUnwatched(on connection: DaemonConnection) throws(CommandError) {
        for address in addresses {
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
