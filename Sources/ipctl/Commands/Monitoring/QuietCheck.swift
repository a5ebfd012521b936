import Control
import Varlink

/// Proves on a second connection that a listener receives no event after a cursor, so that the cursor can move past
/// these events.
///
/// The daemon sends a filtered listener only events that match, and a cursor moves only with events. Without matching
/// events, the events after the cursor would be deleted because of their age, and the next run would be refused. The
/// check first requests the number of the last event, and then reads all kept events up to it without a filter. If none
/// of them matches, the listener has nothing to receive up to that number, even if replies are still buffered on its
/// connection.
///
/// An event does not contain the entry that it is about. With a filter for entries, the check therefore reads the
/// addresses of the entries that match now, before it reads the events. An entry may have matched when the daemon sent
/// an event, and not match now, so the listener has to read its own connection before it relies on such a check.
final class QuietCheck {
    enum Outcome {
        case pending
        /// No event up to this one matches.
        case passed(CursorFile.Cursor)
        /// An event matches and will be received, there are no new events, or the events cannot be read.
        case undecided
    }

    private enum Step {
        /// The number of the last event was requested.
        case status
        /// A page of the matching entries was requested. The events are then read up to `target`.
        case entries(Control.List.Parameters, target: Int64)
        case events(target: Int64)
    }

    private struct Page: Decodable {
        struct Entry: Decodable {
            let address: String
        }

        let next: String?
        let entries: [Entry]
    }

    /// The second connection, which is readable when `receive` has replies to process.
    let connection: DaemonConnection
    private let filter: EventFilter
    private let start: Int64
    private var step = Step.status
    /// The addresses of the entries that match the filter for entries; nil without such a filter.
    private var matching: Set<String>?

    /// Maximum duration of a connection attempt, which blocks the listener.
    private static let connectDuration = Duration.seconds(1)
    /// Entries per page of the list.
    private static let entriesPerPage: Int64 = 1_000

    /// - Parameter start: the number of the event at the cursor.
    init(at path: String, after start: Int64, _ filter: EventFilter) throws(CommandError) {
        (self.filter, self.start) = (filter, start)
        connection = try DaemonConnection(
            to: SocketPath(option: path), limits: TimeLimits(silence: Self.connectDuration))
        matching = filter.entries.map { _ in [] }
        try connection.send(DaemonConnection.message("Status", Control.Status.Parameters())[...])
    }

    /// Reads the replies that have arrived.
    func receive() -> Outcome {
        do throws(CommandError) {
            for reply in try connection.receivedReplies() {
                guard connection.commandError(of: reply) == nil else { return .undecided }
                let outcome = try outcome(of: reply)
                if case .pending = outcome { continue }
                return outcome
            }
        } catch {
            // The listener's own connection reports any problem with the daemon.
            return .undecided
        }
        return .pending
    }

    private func outcome(of reply: ClientConversation.IncomingReply) throws(CommandError) -> Outcome {
        switch step {
        case .status:
            let last = try reply.decoded(Control.Status.Reply.self).store.lastSeq
            guard last > start else { return .undecided }
            guard let entries = filter.entries else {
                try requestEvents(upTo: last)
                return .pending
            }
            try requestEntries(
                Control.List.Parameters(filter: entries, limit: Self.entriesPerPage), target: last)
        case .entries(var parameters, let target):
            let page = try reply.decoded(Page.self)
            matching?.formUnion(page.entries.map(\.address))
            guard let next = page.next else {
                try requestEvents(upTo: target)
                return .pending
            }
            guard next != parameters.after else { return .undecided }
            parameters.after = next
            try requestEntries(parameters, target: target)
        case .events(let target):
            let event = try reply.decoded(Control.Monitor.Reply.self).event
            guard let seq = event.seq else { return .pending }
            guard seq <= target, !mayMatch(event) else { return .undecided }
            if seq == target { return .passed(CursorFile.Cursor(seq: seq, at: event.at)) }
        }
        return .pending
    }

    private func mayMatch(_ event: Interface.Event) -> Bool {
        guard filter.matches(event) else { return false }
        guard let matching else { return true }
        // Events about the route and the provider are sent whatever the filter; those about a host name are not.
        guard let address = event.address else { return event.name == nil }
        return matching.contains(address)
    }

    private func requestEntries(_ parameters: Control.List.Parameters, target: Int64) throws(CommandError) {
        try connection.send(DaemonConnection.message("List", parameters)[...])
        step = .entries(parameters, target: target)
    }

    private func requestEvents(upTo target: Int64) throws(CommandError) {
        let parameters = Control.Monitor.Parameters(after: start, kinds: nil, addresses: nil)
        try connection.send(DaemonConnection.message("Monitor", parameters, more: true)[...])
        step = .events(target: target)
    }
}
