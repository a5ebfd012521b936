import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl monitor`
struct Monitor: Command, TakesAddresses {
    static let configuration = CommandConfiguration(
        commandName: "monitor", abstract: "Print events as they happen, one line each.",
        discussion: """
            With --after, the events that are kept after that number come first. With --cursor-file, the number and the \
            time of the last event are kept in the file, so that the next run goes on where this one ended, misses nothing \
            and tells nothing twice. (Killed with SIGKILL, it may tell its last event again.) Where the file is not there, \
            or empty, it begins now; a cursor of another database is refused.

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
        help: ArgumentHelp("Go on after the last event of the run before, which this file keeps.", valueName: "file"),
        completion: .file())
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
        if after != nil { try cursor?.checkThatItCanBeWritten() }
        let start = after == nil ? cursor.map { CursorStart(file: $0, connection: connection) } : nil
        try tellOfUnwatched(on: connection)
        let parameters = Control.Monitor.Parameters(
            after: try start?.seq() ?? after, kinds: kind.isEmpty ? nil : kind,
            addresses: addresses.isEmpty ? nil : addresses)
        do throws(Complaint) {
            try tell(parameters, from: connection, output, noting: cursor)
        } catch {
            if let start { throw start.naming(error) }
            throw try naming(error, on: connection)
        }
        return .done
    }

    /// What the daemon says of the number that was given.
    private func naming(_ complaint: Complaint, on connection: Connection) throws(Complaint) -> Complaint {
        guard let after, case .invalidCursor = complaint.refusal else { return complaint }
        let status = try connection.call("Status", Control.Status.Parameters()).decoded(Control.Status.Reply.self)
        return Complaint(
            status: complaint.status, message: "there is no event \(after) yet: the last is \(status.store.lastSeq)",
            advice: "Without --after, what happens from now on is told.")
    }

    private func tell(
        _ parameters: Control.Monitor.Parameters, from connection: Connection, _ output: Output,
        noting cursor: CursorFile?
    ) throws(Complaint) {
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
                if let seq = event.seq { try cursor?.write(CursorFile.Cursor(seq: seq, at: event.at)) }
            }
        }
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
}
