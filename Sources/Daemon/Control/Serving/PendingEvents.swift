import Control
import DequeModule
import RecordKeeping
import Varlink

/// Events to be sent to listeners, in order. Each is encoded once for all of its recipients.
struct PendingEvents {
    private struct Event {
        let event: PublishedEvent
        let entry: EntryView?
        let recipients: [Request.ID]
        /// The encoded event; nil until the first recipient gets it.
        var message: [UInt8]?
        /// The number of recipients to which the event has been sent.
        var sent = 0
    }

    private let offline: OfflineLookup
    private var events: Deque<Event> = []
    /// Number of messages to be sent, one for each recipient of each event.
    private(set) var count = 0
    /// Whether a turn that sends some of the events is scheduled.
    var isScheduled = false

    /// - Parameter offline: returns the record that is added to an entry without a fresh record.
    init(offline: @escaping OfflineLookup) {
        self.offline = offline
    }

    var isEmpty: Bool { events.isEmpty }

    /// Appends an event, with its entry if it concerns one. Does nothing if there are no recipients.
    mutating func append(_ event: PublishedEvent, _ entry: EntryView?, to recipients: [Request.ID]) {
        guard !recipients.isEmpty else { return }
        events.append(Event(event: event, entry: entry, recipients: recipients))
        count += recipients.count
    }

    /// Returns the next event with its next recipients, at most `maximum` of them; nil if none is pending.
    mutating func next(atMost maximum: Int) -> (message: [UInt8], recipients: ArraySlice<Request.ID>)? {
        guard var event = events.first, maximum > 0 else { return nil }
        let message = event.message ?? OutgoingReply.message(publishing: event.event, event.entry, offline: offline)
        let recipients = event.recipients[event.sent...].prefix(maximum)
        count -= recipients.count
        event.sent += recipients.count
        event.message = message
        if event.sent == event.recipients.count { events.removeFirst() } else { events[0] = event }
        return (message, recipients)
    }
}
