import Glibc

/// The checks of a filtered listener that has received no event for a while, one at a time.
struct QuietTimes {
    private let path: String
    private let filter: EventFilter
    private let interval: Duration
    private var check: QuietCheck?
    private var nextCheck: Deadline

    /// - Parameter path: the daemon's socket.
    init(at path: String, _ settings: MonitorSession.Settings) {
        (self.path, filter, interval) = (path, settings.filter, settings.quietInterval)
        // Events that did not match may have happened since the cursor was saved.
        nextCheck = Deadline(in: settings.cursor == nil ? interval : .zero)
    }

    /// The descriptor that is readable when `receive` has something to do; nil while there is no check.
    var descriptor: Int32? { check?.connection.descriptor }

    /// The time of the next check; nil if no check is needed, because the filter matches every event.
    var deadline: Deadline? { filter.isEmpty ? nil : nextCheck }

    /// Postpones the next check, because the cursor has moved.
    mutating func postpone() {
        nextCheck = Deadline(in: interval)
    }

    /// Ends the running check.
    mutating func cancel() {
        check = nil
    }

    /// Begins a check if it is time to.
    ///
    /// - Parameter seq: the number of the event at the cursor.
    mutating func beginIfDue(after seq: Int64) {
        guard let deadline, deadline.isOver else { return }
        postpone()
        do throws(CommandError) {
            check = try QuietCheck(at: path, after: seq, filter)
        } catch {
            // The listener's own connection reports a missing daemon, so this check can wait for the next interval.
            check = nil
        }
    }

    /// Reads the result of the check.
    ///
    /// - Parameters:
    ///   - listener: the descriptor of the listener's connection; nil while it has none.
    ///   - isIdle: whether the listener has handled all events that it has received.
    /// - Returns: the event to which the cursor can move; nil if it stays, or if the check continues.
    mutating func receive(listener: Int32?, isIdle: Bool) -> CursorFile.Cursor? {
        switch check?.receive() {
        case nil, .pending: return nil
        case .undecided:
            check = nil
            return nil
        case .passed(let cursor):
            check = nil
            // The daemon sent events that matched before the check asked for the matching entries.
            guard filter.entries == nil || isIdle && !Self.isReadable(listener) else { return nil }
            return cursor
        }
    }

    private static func isReadable(_ descriptor: Int32?) -> Bool {
        guard let descriptor else { return false }
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }
}
