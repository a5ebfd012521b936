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

    /// Returns the time of the event with a number that is at most `last`.
    ///
    /// - Returns: nil if the event is no longer kept.
    func time(of seq: Int64) throws(CommandError) -> Int64? { try event(seq)?.at }

    /// Returns the number of the last event before a time; 0 if there is none. Events are in the order of their times,
    /// unless the clock was set back.
    ///
    /// - Parameter time: in milliseconds since 1970.
    func lastSeq(before time: Int64) throws(CommandError) -> Int64 {
        var (earlier, later) = (Int64(0), last + 1)
        while later - earlier > 1 {
            let middle = earlier + (later - earlier) / 2
            // Events that are no longer kept are older than all others.
            if let found = try self.time(of: middle), found >= time { later = middle } else { earlier = middle }
        }
        return earlier
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
            addresses: [address] + [end.address].compactMap { $0 }.filter { $0 != address })
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

    /// Receives an event and the reply that contains it; returns whether the event ends the reading.
    typealias Reader = (ClientConversation.IncomingReply, Interface.Event) throws(CommandError) -> Bool

    /// Reads kept events, past those that have been deleted or were lost.
    func readAll(_ parameters: Control.Monitor.Parameters, until isLast: Reader) throws(CommandError) {
        var parameters = parameters
        while let gap = try read(parameters, until: isLast), gap - 1 > parameters.after ?? 0 {
            parameters.after = gap - 1
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
