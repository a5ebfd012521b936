import Control
import RecordKeeping
import Varlink

/// The kept events.
struct EventHistory {
    let connection: DaemonConnection
    /// The number of the last event.
    let last: Int64

    init(connection: DaemonConnection, last: Int64) {
        (self.connection, self.last) = (connection, last)
    }

    /// The events that are kept now.
    init(on connection: DaemonConnection) throws(CommandError) {
        let status = try connection.call("Status", Control.Status.Parameters()).decoded(Control.Status.Reply.self)
        self.init(connection: connection, last: status.store.lastSeq)
    }

    /// Returns the reason why a cursor belongs to another database; nil if it may belong to this one.
    func reasonForAnotherDatabase(_ cursor: CursorFile.Cursor) throws(CommandError) -> String? {
        guard cursor.seq <= last else {
            return "event \(cursor.seq) does not exist; the last event is \(last)"
        }
        guard let at = cursor.at, let found = try time(of: cursor.seq), found != at else { return nil }
        return "event \(cursor.seq) has a different time there"
    }

    /// - Throws: if the number of an event, after which the events are printed, does not exist yet.
    func requireEvent(_ seq: Int64) throws(CommandError) {
        guard seq > last else { return }
        throw CommandError(
            status: .badData, message: "event \(seq) does not exist yet: the last event is \(last)",
            advice: "To print only new events, omit --after.")
    }

    /// Returns the time of the event with a number that is at most `last`.
    ///
    /// - Returns: nil if the event is no longer kept.
    func time(of seq: Int64) throws(CommandError) -> Int64? { try event(seq)?.at }

    /// Returns the number of the last kept event before a time, 0 if there is none, and the number of the first one
    /// since then, nil if there is none. Events are in the order of their times, unless the clock was set back.
    ///
    /// A restore skips numbers, and old events are deleted. Therefore, each step of the search reads the first kept
    /// event with the middle number or a later one.
    ///
    /// - Parameter time: in milliseconds since 1970.
    func boundary(at time: Int64) throws(CommandError) -> (before: Int64, since: Int64?) {
        var (earlier, later) = (Int64(0), last.clampedAdding(1))
        var since: Int64?
        while later - earlier > 1 {
            let middle = earlier + (later - earlier) / 2
            let found = try firstEvent(from: middle)
            if let found, let seq = found.seq, found.at < time {
                earlier = seq
            } else {
                (later, since) = (middle, found?.seq)
            }
        }
        return (earlier, since)
    }

    /// Returns the kept events with which an address was added to the watch list, or removed from it, oldest first.
    ///
    /// The daemon does not mark the end of the kept events, so the filter of the search also matches the last event.
    ///
    /// - Parameter address: in canonical form.
    func watchListChanges(of address: String) throws(CommandError) -> [Interface.Event] {
        guard let end = try event(last) else { return [] }
        let kinds = [PublishedEvent.Kind.added, .removed].map(\.rawValue)
        var found: [Interface.Event] = []
        let parameters = Control.Monitor.Parameters(
            after: 0, kinds: kinds.contains(end.kind) ? kinds : kinds + [end.kind],
            addresses: [address] + [end.address].compactMap { $0 }.filter { $0 != address },
            hostNames: end.name.map { [$0] })
        try readAll(parameters) { _, event in
            if kinds.contains(event.kind), event.address == address { found.append(event) }
            return event.seq.map { $0 >= last } ?? false
        }
        return found
    }

    private func event(_ seq: Int64) throws(CommandError) -> Interface.Event? {
        guard seq > 0 else { return nil }
        var found: Interface.Event?
        _ = try read(Control.Monitor.Parameters(after: seq - 1, kinds: nil, addresses: nil)) { _, event in
            // Events that are not kept have no number.
            guard let number = event.seq else { return false }
            if number == seq { found = event }
            return true
        }
        return found
    }

    /// Returns the first kept event with this number or a later one; nil if there is none up to the last event.
    private func firstEvent(from seq: Int64) throws(CommandError) -> Interface.Event? {
        var found: Interface.Event?
        try readAll(Control.Monitor.Parameters(after: seq - 1)) { _, event in
            guard let number = event.seq else { return false }
            if number <= last { found = event }
            return true
        }
        return found
    }

    /// Receives an event and the reply that contains it; returns whether the event ends the reading.
    typealias Reader = (ClientConversation.IncomingReply, Interface.Event) throws(CommandError) -> Bool

    /// Reads kept events, past those that have been deleted or were lost, up to the last event.
    func readAll(_ parameters: Control.Monitor.Parameters, until isLast: Reader) throws(CommandError) {
        var parameters = parameters
        // If no later event is kept, the daemon would only send new ones.
        while let oldest = try read(parameters, until: isLast), oldest <= last, oldest - 1 > parameters.after ?? 0 {
            parameters.after = oldest - 1
        }
    }

    /// Reads kept events.
    ///
    /// - Returns: the number of the oldest event after a gap in the kept events; nil if there was no gap.
    private func read(
        _ parameters: Control.Monitor.Parameters, until isLast: Reader
    ) throws(CommandError) -> Int64? {
        // A separate connection, because `Monitor` keeps sending replies.
        let listener = try connection.duplicate()
        do throws(CommandError) {
            try listener.send(DaemonConnection.message("Monitor", parameters, more: true)[...])
            while true {
                let reply = try listener.nextReply()
                if try isLast(reply, try reply.decoded(Control.Monitor.Reply.self).event) { return nil }
            }
        } catch {
            guard case .eventsGone(let oldest) = error.controlError else { throw error }
            return oldest
        }
    }
}
