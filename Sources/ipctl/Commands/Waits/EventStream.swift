import Control
import RecordKeeping
import Varlink

/// The daemon's events from now on.
struct EventStream {
    private let connection: Connection

    /// Returns once the daemon listens to this.
    ///
    /// `Monitor` says nothing before the first event, so it goes along with a call that is answered at once: the daemon takes
    /// what came together before it answers any of it.
    init(of condition: any WaitCondition, on connection: Connection, until deadline: Deadline?) throws(Complaint) {
        self.connection = connection
        let addresses = condition.addresses
        let parameters = Control.Monitor.Parameters(
            after: nil, kinds: condition.kinds.map(\.rawValue), addresses: addresses.isEmpty ? nil : addresses)
        connection.deadline = deadline?.withTimeToAnswer
        try connection.send(
            (Connection.message("Status", Control.Status.Parameters())
                + Connection.message("Monitor", parameters, more: true))[...])
        _ = try connection.nextReply()
        connection.deadline = deadline
    }

    /// The next event and the reply that it came in; waits for it.
    func next() throws(Complaint) -> (event: Interface.Event, reply: ClientConversation.IncomingReply) {
        let reply = try connection.nextReply()
        return (try reply.decoded(Control.Monitor.Reply.self).event, reply)
    }
}
