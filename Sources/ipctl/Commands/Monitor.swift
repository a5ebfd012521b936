import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl monitor`
struct Monitor: Command, TakesAddresses {
    static let configuration = CommandConfiguration(
        abstract: "Print events as they happen, one line each.",
        discussion: """
            With --after, the events that are kept after that number come first. With --cursor-file, the number of the \
            last event is kept in the file, so that the next run goes on where this one ended, misses nothing and tells \
            nothing twice. (Killed with SIGKILL, it may tell its last event again.)

            An address that is not on the watch list has no events until it is; that is told on standard error.

            The kinds: \(Notice.Kind.allCases.map(\.rawValue).joined(separator: ", ")).

            Examples:
              ipctl monitor
              ipctl monitor --kind changed --kind failed
              ipctl monitor --after 0 --kind networkLost       all that are kept
              ipctl monitor --json --cursor-file ~/iprecord.cursor 1.1.1.1
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("First the kept events after this number; 0 for all.", valueName: "seq"),
        transform: { try WholeNumber.option($0, in: 0...Int64.max) })
    var after: Int64?

    @Option(
        help: ArgumentHelp("Keep the number of the last event in this file.", valueName: "file"), completion: .file())
    var cursorFile: String?

    @Option(
        help: ArgumentHelp("Only events of this kind; may be given several times.", valueName: "kind"),
        completion: .eventKinds)
    var kind: [String] = []

    @Argument(help: "Only events about these addresses.", completion: .watchedAddresses)
    var addresses: [String] = []

    static let optionsTakenAgain: Set<String> = ["--kind"]

    func validate() throws {
        let kinds = Notice.Kind.allCases.map(\.rawValue)
        if let unknown = kind.first(where: { !kinds.contains($0) }) {
            throw ValidationError("there is no kind \"\(unknown)\"; the kinds are \(kinds.joined(separator: ", "))")
        }
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let cursor = cursorFile.map { CursorFile(path: $0) }
        var start = after
        if start == nil { start = try cursor?.read() }
        try cursor?.checkThatItCanBeWritten()
        if start == nil, let cursor { start = try begin(cursor, on: connection) }
        try tellOfUnwatched(on: connection)
        let parameters = Control.Monitor.Parameters(
            after: start, kinds: kind.isEmpty ? nil : kind, addresses: addresses.isEmpty ? nil : addresses)
        try connection.callForMore("Monitor", parameters) { reply throws(Complaint) in
            let event = try reply.decoded(Control.Monitor.Reply.self).event
            if output.isJSON {
                output.print(reply.parameters)
            } else {
                output.print(EventLine(event, now: Times.now).line(on: output.terminal))
            }
            // First printed, then noted: an event may come twice after a crash, but never not at all.
            try Signals.held { () throws(Complaint) in
                try output.flush()
                if let seq = event.seq { try cursor?.write(seq) }
            }
        }
        return .done
    }

    /// Who waits for events of an address that nobody watches would wait for ever, and not know why.
    private func tellOfUnwatched(on connection: Connection) throws(Complaint) {
        for address in addresses {
            // Only what is watched has a history; asking for it makes no call.
            let reply = try connection.reply(to: "History", Control.History.Parameters(address: address, limit: 1))
            guard let name = reply.error,
                case .notWatched(let address) = ControlError(name: name, parameters: reply.parameters)
            else { continue }
            Output.remark(
                "\(address.printable) is not on the watch list: there are events of it only once it is (ipctl add "
                    + "\(address.printable))")
        }
    }

    /// The first run begins now, and what happens before its first event is noted is not lost to the next.
    private func begin(_ cursor: CursorFile, on connection: Connection) throws(Complaint) -> Int64 {
        let status = try connection.call("Status", Control.Status.Parameters()).decoded(Control.Status.Reply.self)
        try cursor.write(status.store.lastSeq)
        return status.store.lastSeq
    }
}
