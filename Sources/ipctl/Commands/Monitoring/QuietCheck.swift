import Control
import Varlink

/// Proves on a second connection that no event after a cursor matches a filter, so that the cursor can move past these
/// events.
///
/// The daemon sends a filtered listener only events that match, and a cursor moves only with events. Without matching
/// events, the events after the cursor would be deleted because of their age, and the next run would be refused. The
/// check first requests the number of the last event, and then reads all kept events up to it without a filter. If none
/// of them matches, the listener has nothing to receive up to that number, even if replies are still buffered on its
/// connection.
final class QuietCheck {
    enum Outcome {
        case pending
        /// No event up to this one matches.
        case passed(CursorFile.Cursor)
        /// An event matches and will be received, there are no new events, or the events cannot be read.
        case undecided
    }

    /// The second connection, which is readable when `receive` has replies to process.
    let connection: DaemonConnection
    private let filter: EventFilter
    private let start: Int64
    /// The number of the last event when the check began; nil before the daemon's first reply.
    private var target: Int64?

    /// Maximum duration of a connection attempt, which blocks the listener.
    private static let connectDuration = Duration.seconds(1)

    /// - Parameter start: the number of the event at the cursor.
    init(at path: String, after start: Int64, _ filter: EventFilter) throws(CommandError) {
        (self.filter, self.start) = (filter, start)
        connection = try DaemonConnection(
            to: SocketPath(option: path), limits: TimeLimits(silence: Self.connectDuration))
        let parameters = Control.Monitor.Parameters(after: start, kinds: nil, addresses: nil)
        try connection.send(
            (DaemonConnection.message("Status", Control.Status.Parameters())
                + DaemonConnection.message("Monitor", parameters, more: true))[...])
    }

    /// Reads the replies that have arrived.
    func receive() -> Outcome {
        do throws(CommandError) {
            for reply in try connection.receivedReplies() {
                guard connection.commandError(of: reply) == nil else { return .undecided }
                guard let target else {
                    let last = try reply.decoded(Control.Status.Reply.self).store.lastSeq
                    guard last > start else { return .undecided }
                    target = last
                    continue
                }
                let event = try reply.decoded(Control.Monitor.Reply.self).event
                guard let seq = event.seq else { continue }
                guard seq <= target, !filter.matches(event) else { return .undecided }
                if seq == target { return .passed(CursorFile.Cursor(seq: seq, at: event.at)) }
            }
        } catch {
            // The listener's own connection reports any problem with the daemon.
            return .undecided
        }
        return .pending
    }
}
