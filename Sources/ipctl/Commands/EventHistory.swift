import Control
import Varlink

/// The kept events, which show whether a cursor belongs to this database.
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
    func time(of seq: Int64) throws(CommandError) -> Int64? {
        guard seq > 0 else { return nil }
        // A separate connection, because `Monitor` keeps sending replies.
        let listener = try connection.duplicate()
        do throws(CommandError) {
            let parameters = Control.Monitor.Parameters(after: seq - 1, kinds: nil, addresses: nil)
            try listener.send(DaemonConnection.message("Monitor", parameters, more: true)[...])
            while true {
                let event = try listener.nextReply().decoded(Control.Monitor.Reply.self).event
                // Events that are not kept have no number.
                if let number = event.seq { return number == seq ? event.at : nil }
            }
        } catch {
            guard case .eventsGone = error.controlError else { throw error }
            return nil
        }
    }
}
