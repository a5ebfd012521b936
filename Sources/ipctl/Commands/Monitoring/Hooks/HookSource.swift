import Control
import Varlink

/// The daemon's events for the command of `--exec`, on a connection that is reopened when the daemon closes it.
///
/// Commands run at the same time, so no method waits for the daemon for longer than a second or two.
final class HookSource {
    private enum State {
        case streaming(DaemonConnection)
        /// The status was requested on a new connection.
        case opening(DaemonConnection)
        /// Reconnects at this time, in milliseconds on the monotonic clock.
        case waiting(until: Int64)
    }

    private let settings: MonitorSession.Settings
    private let path: String
    private var state: State
    private var delays = HookDelays()
    /// The last kept event that was received or skipped.
    private var position: CursorFile.Cursor

    /// Starts listening.
    ///
    /// - Parameter start: the event after which the events are received.
    init(
        on connection: DaemonConnection, after start: CursorFile.Cursor, _ settings: MonitorSession.Settings
    ) throws(CommandError) {
        (path, position, self.settings) = (connection.path, start, settings)
        state = .streaming(connection)
        do throws(CommandError) {
            try listen(on: connection)
        } catch {
            try recover(from: error)
        }
    }

    /// The descriptor that is readable when `receive` has something to do; nil while there is no connection.
    var descriptor: Int32? {
        switch state {
        case .streaming(let connection), .opening(let connection): connection.descriptor
        case .waiting: nil
        }
    }

    /// The time at which `reconnect` has something to do; nil while the connection is open.
    var nextAttempt: Int64? {
        switch state {
        case .streaming: nil
        case .opening: delays.end
        case .waiting(let time): time
        }
    }

    /// Connects if it is time to.
    ///
    /// - Throws: if the daemon has accepted a connection, but has not replied in time. A daemon that is starting may
    ///   take minutes.
    func reconnect(at now: Int64) throws(CommandError) {
        guard let nextAttempt, nextAttempt <= now else { return }
        if case .opening = state { throw overdue }
        do throws(CommandError) {
            let connection = try DaemonConnection(
                to: SocketPath(option: path), limits: TimeLimits(silence: Reconnector.connectDuration))
            try connection.send(DaemonConnection.message("Status", Control.Status.Parameters())[...])
            state = .opening(connection)
        } catch {
            try recover(from: error)
        }
    }

    /// Moves past events that do not match, so that they are not read again after a reconnection, when they may have
    /// been deleted.
    func skip(to cursor: CursorFile.Cursor) {
        if cursor.seq > position.seq { position = cursor }
    }

    /// Returns the events that have arrived.
    ///
    /// - Precondition: `descriptor` is readable.
    /// - Throws: if the daemon cannot continue, or has not returned in time.
    func receive() throws(CommandError) -> [HookEvent] {
        do throws(CommandError) {
            switch state {
            case .streaming(let connection):
                var events: [HookEvent] = []
                for reply in try connection.receivedReplies() {
                    if let commandError = connection.commandError(of: reply) { throw commandError }
                    events.append(try event(in: reply))
                }
                return events
            case .opening(let connection):
                for reply in try connection.receivedReplies() { try resume(on: connection, reply) }
            case .waiting: break
            }
        } catch {
            try recover(from: error)
        }
        return []
    }

    private func event(in reply: ClientConversation.IncomingReply) throws(CommandError) -> HookEvent {
        let event = try reply.decoded(Control.Monitor.Reply.self).event
        let cursor = event.seq.map { CursorFile.Cursor(seq: $0, at: event.at) }
        position = cursor ?? position
        let subject = (event.address ?? event.name).map { " \($0)" } ?? ""
        let words = [event.seq.map { "event \($0)" } ?? "event", "(\(event.kind)\(subject))"]
        return HookEvent(
            cursor: cursor, address: event.address, name: words.joined(separator: " "),
            input: Wire.encode(reply.parameters).dropLast() + [UInt8(ascii: "\n")],
            variables: HookVariables.of(event))
    }

    /// Continues after the last event that was received, if the daemon uses the same database.
    private func resume(
        on connection: DaemonConnection, _ reply: ClientConversation.IncomingReply
    ) throws(CommandError) {
        if let commandError = connection.commandError(of: reply) { throw commandError }
        let last = try reply.decoded(Control.Status.Reply.self).store.lastSeq
        let history = EventHistory(connection: connection, last: last)
        if let reason = try history.reasonForAnotherDatabase(position) {
            throw CommandError(
                status: .badData, message: "the daemon now uses another database: \(reason)",
                advice: "To start with the next event, run the command again without the old cursor file.")
        }
        try listen(on: connection)
        state = .streaming(connection)
        delays.connected(at: Deadline.now)
        Output.printMessage("reconnected; continuing after event \(position.seq)")
    }

    private func listen(on connection: DaemonConnection) throws(CommandError) {
        let call = DaemonConnection.message("Monitor", settings.parameters(after: position.seq), more: true)
        try connection.send(call[...])
    }

    private func isPassing(_ error: CommandError) -> Bool {
        settings.reconnects && (error.status == .noDaemon || error.isUnresponsive && !error.isTimeout)
    }

    /// Plans the next attempt after an error.
    ///
    /// - Throws: the error if another attempt does not help.
    private func recover(from error: CommandError) throws(CommandError) {
        guard isPassing(error) else { throw error }
        if case .streaming = state { Output.printMessage("\(error.message); reconnecting") }
        guard let time = delays.nextAttempt(at: Deadline.now) else { throw overdue }
        state = .waiting(until: time)
    }

    private var overdue: CommandError {
        let span = Times.exactSpan(milliseconds: Deadline(in: Reconnector.maxDuration).spanMilliseconds)
        return CommandError(
            status: .noDaemon, message: "the daemon at \(path) did not return within \(span)",
            advice: "See systemctl status iprecordd, or run ipctl doctor.")
    }
}
