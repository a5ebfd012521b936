import Control
import Glibc
import Varlink

/// A running `ipctl monitor`, which prints events, saves the cursor, and reconnects when the daemon is restarted.
final class MonitorSession {
    /// The event filters, and the file for the cursor.
    struct Settings {
        var kinds: [String] = []
        var addresses: [String] = []
        /// Host names in canonical form. Without addresses and names, the events of all are received.
        var names: [String] = []
        var fields: [String] = []
        /// The entries whose events are received, apart from `addresses`; nil for all.
        var entries: Interface.Filter?
        /// The file in which the cursor is saved; nil for none.
        var cursor: CursorFile?
        /// The descriptor to which events are written.
        var descriptor = STDOUT_FILENO
        var reconnects = true
        /// Prints events as rows; nil for lines of text.
        var printer: RowPrinter?
        /// Time without a saved event after which events that do not match are skipped.
        ///
        /// Events are kept for 90 days unless configured otherwise, and each check reads the events since the previous
        /// check.
        var quietInterval = Duration.seconds(3_600)

        var filter: EventFilter {
            EventFilter(kinds: kinds, addresses: addresses, names: names, fields: fields, entries: entries)
        }

        /// - Parameter seq: the event after which the events are sent.
        func parameters(after seq: Int64) -> Control.Monitor.Parameters {
            Control.Monitor.Parameters(
                after: seq, kinds: kinds.isEmpty ? nil : kinds, addresses: addresses.isEmpty ? nil : addresses,
                hostNames: names.isEmpty ? nil : names, fields: fields.isEmpty ? nil : fields, filter: entries)
        }
    }

    private let settings: Settings
    private let output: Output
    private let interruption: SignalPipe?
    private let reader: OutputReader
    private let deadline: Deadline?
    private var connection: DaemonConnection
    private var reconnector: Reconnector
    private var writer: EventWriter
    private var printer: RowPrinter?
    /// The event after which a new connection continues.
    private var position: CursorFile.Cursor
    private var quietTimes: QuietTimes

    /// - Parameter start: the event after which the session begins.
    init(on connection: DaemonConnection, _ output: Output, after start: CursorFile.Cursor, _ settings: Settings) {
        (self.connection, self.output, self.settings, position) = (connection, output, settings, start)
        printer = settings.printer
        (interruption, deadline) = (connection.interruption, connection.limits.deadline)
        reader = OutputReader(descriptor: settings.descriptor)
        connection.reader = reader
        reconnector = Reconnector(
            path: connection.path, deadline: deadline, interruption: interruption, reader: reader)
        writer = EventWriter(descriptor: settings.descriptor, interruption: interruption, deadline: deadline)
        quietTimes = QuietTimes(at: connection.path, settings)
    }

    /// Runs until a signal arrives, the reader closes the pipe, the time limit expires or an error occurs, and then
    /// throws.
    func run() throws(CommandError) -> Never {
        var isLost = false
        while true {
            do throws(CommandError) {
                if isLost { try resume() }
                isLost = false
                try stream()
            } catch {
                let isPassing = error.status == .noDaemon || error.isUnresponsive && !error.isTimeout
                guard isPassing, settings.reconnects, !reconnector.hasGivenUp else { throw error }
                if !isLost { Output.printMessage("\(error.message); reconnecting") }
                isLost = true
            }
        }
    }

    // MARK: The daemon

    private func stream() throws(CommandError) -> Never {
        let parameters = settings.parameters(after: position.seq)
        try connection.send(DaemonConnection.message("Monitor", parameters, more: true)[...])
        // The daemon sends nothing while there are no events.
        connection.limits = TimeLimits(silence: nil, deadline: deadline)
        while true {
            quietTimes.beginIfDue(after: position.seq)
            let ready = try wait()
            if ready.contains(connection.descriptor) { try printEvents() }
            if let descriptor = quietTimes.descriptor, ready.contains(descriptor) {
                try save(quietTimes.receive(listener: connection.descriptor, isIdle: true))
            }
        }
    }

    /// Continues on a new connection after the last event that was printed.
    private func resume() throws(CommandError) {
        quietTimes.cancel()
        let (fresh, status) = try reconnector.reconnect()
        let history = EventHistory(connection: fresh, last: status.store.lastSeq)
        if let reason = try history.reasonForAnotherDatabase(position) {
            throw CommandError(
                status: .badData, message: "the daemon now uses another database: \(reason)",
                advice: "To start with the next event, run the command again without the old cursor file.")
        }
        connection = fresh
        Output.printMessage("reconnected; continuing after event \(position.seq)")
    }

    /// - Returns: the descriptors that are readable.
    private func wait() throws(CommandError) -> Set<Int32> {
        let ends = [deadline, quietTimes.deadline].compactMap { $0 }
        let descriptors = [connection.descriptor, quietTimes.descriptor, interruption?.descriptor]
        var polled = descriptors.compactMap { $0 }.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        polled.append(reader.polled)
        poll(&polled, nfds_t(polled.count), ends.map(\.remaining).min() ?? -1)
        try interruption?.check()
        if let deadline, deadline.isOver { throw CommandError(timeLimit: deadline) }
        if let last = polled.popLast() { try OutputReader.check(last) }
        return Set(polled.filter { $0.revents != 0 }.map(\.fd))
    }

    // MARK: Events

    private func printEvents() throws(CommandError) {
        let replies = try connection.receivedReplies()
        do throws(CommandError) {
            for reply in replies {
                if let commandError = connection.commandError(of: reply) { throw commandError }
                let event = try reply.decoded(Control.Monitor.Reply.self).event
                try writer.append(
                    lines(of: event, in: reply), event.seq.map { CursorFile.Cursor(seq: $0, at: event.at) })
            }
            try writer.flush()
        } catch {
            // Events received before the error are printed and saved. If the writer failed, nothing is left to write.
            try writer.flush()
            try save(writer.written)
            throw error
        }
        try save(writer.written)
    }

    private func lines(of event: Interface.Event, in reply: ClientConversation.IncomingReply) -> [UInt8] {
        if output.isJSON { return output.document(reply.parameters) }
        return printer?.bytes(of: EventRows.rows(of: event, fields: settings.fields), for: output)
            ?? Array("\(EventLine(event: event, now: Times.now).line(on: output.terminal))\n".utf8)
    }

    /// Saves the last event that was printed or skipped. Signals do not interrupt the save; they are handled
    /// afterwards.
    private func save(_ cursor: CursorFile.Cursor?) throws(CommandError) {
        guard let cursor, cursor.seq > position.seq else { return }
        position = cursor
        quietTimes.postpone()
        try settings.cursor?.write(cursor)
    }
}
