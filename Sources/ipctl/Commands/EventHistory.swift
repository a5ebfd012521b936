import Control
import RecordKeeping
import Varlink

/// The kept events.
struct EventHistory {
    let connection: DaemonConnection
    /// The number of the last event.
    let last: Int64

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

    /// Returns the kept events with which an address was added to the watch list, or removed from it, oldest first.
    ///
    /// The daemon does not mark the end of the kept events, so the filter of the search also matches the last event.
    ///
    /// - Parameter address: in canonical form.
    func watchListChanges(of address: String) throws(CommandError) -> [Interface.Event] {
        guard let end = try event(last) else { return [] }
        let kinds = [PublishedEvent.Kind.added, .removed].map(\.rawValue)
        var found: [Interface.Event] = []
        var start: Int64 = 0
        while true {
            let parameters = Control.Monitor.Parameters(
                after: start, kinds: kinds.contains(end.kind) ? kinds : kinds + [end.kind],
                addresses: [address] + [end.address].compactMap { $0 }.filter { $0 != address })
            let gap = try read(parameters) { event in
                if kinds.contains(event.kind), event.address == address { found.append(event) }
                return event.seq.map { $0 >= last } ?? false
            }
            // Events before the gap have been deleted, or were lost.
            guard let gap, gap - 1 > start else { return found }
            start = gap - 1
        }
    }

    private func event(_ seq: Int64) throws(CommandError) -> Interface.Event? {
        guard seq > 0 else { return nil }
        var found: Interface.Event?
        _ = try read(Control.Monitor.Parameters(after: seq - 1, kinds: nil, addresses: nil)) { event in
            // Events that are not kept have no number.
            guard let number = event.seq else { return false }
            if number == seq { found = event }
            return true
        }
        return found
    }

    /// Reads kept events.
    ///
    /// - Parameter isLast: receives each event; returns whether it ends the reading.
    /// - Returns: the number of the oldest event after a gap in the kept events; nil if there was no gap.
    private func read(
        _ parameters: Control.Monitor.Parameters, until isLast: (Interface.Event) -> Bool
    ) throws(CommandError) -> Int64? {
        // A separate connection, because `Monitor` keeps sending replies.
        let listener = try connection.duplicate()
        do throws(CommandError) {
            try listener.send(DaemonConnection.message("Monitor", parameters, more: true)[...])
            while true {
                let event = try listener.nextReply().decoded(Control.Monitor.Reply.self).event
                if isLast(event) { return nil }
            }
        } catch {
            guard case .eventsGone(let oldest) = error.controlError else { throw error }
            return oldest
        }
    }
}
