import Control
import RecordKeeping
import Varlink

/// A stream of the daemon's events.
final class EventStream {
    private let connection: DaemonConnection
    /// The number of the last received event, or of the last event before the stream began.
    private(set) var lastSeq: Int64

    /// Subscribes to the events, and returns once the subscription is active.
    ///
    /// `Monitor` has no reply before the first event. The call is sent together with `Status`: the daemon reads both
    /// calls before it replies to the first.
    ///
    /// - Parameters:
    ///   - after: the event after which the stream begins with kept events; nil to begin with new events.
    ///   - deadline: the deadline of the command.
    init(
        of condition: any WaitCondition, on connection: DaemonConnection, after: Int64?, until deadline: Deadline?
    ) throws(CommandError) {
        self.connection = connection
        let addresses = condition.addresses
        let parameters = Control.Monitor.Parameters(
            after: after, kinds: condition.kinds.map(\.rawValue), addresses: addresses.isEmpty ? nil : addresses,
            fields: condition.fields.isEmpty ? nil : condition.fields)
        connection.limits = TimeLimits(silence: TimeLimits.usualSilence, deadline: deadline?.withTimeToReply)
        try connection.send(
            (DaemonConnection.message("Status", Control.Status.Parameters())
                + DaemonConnection.message("Monitor", parameters, more: true))[...])
        let status = try connection.nextReply().decoded(Control.Status.Reply.self)
        lastSeq = after ?? status.store.lastSeq
        connection.limits = TimeLimits(silence: nil, deadline: deadline)
    }

    /// Waits for the next event, and returns it with its reply.
    func next() throws(CommandError) -> (event: Interface.Event, reply: ClientConversation.IncomingReply) {
        let reply = try connection.nextReply()
        let event = try reply.decoded(Control.Monitor.Reply.self).event
        lastSeq = event.seq ?? lastSeq
        return (event, reply)
    }
}
