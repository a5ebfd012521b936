import Control
import Glibc
import RecordKeeping
import Varlink

/// A connection to the daemon with at most one call in flight, for a program that waits with poll(2).
final class EnrichChannel {
    enum Purpose: CaseIterable {
        /// Reads what the daemon knows.
        case reading
        /// Looks up addresses, with calls to the provider.
        case lookup
        /// Adds addresses to the watch list.
        case watching
    }

    /// A reply, and the call to which it belongs.
    struct Received {
        let reply: ClientConversation.IncomingReply
        /// The addresses of the call.
        let addresses: [AddressAnswer]
        /// The search in the history to which the call belongs; nil for other calls.
        let search: ChangedEntries?
    }

    let purpose: Purpose
    let connection: DaemonConnection
    /// The addresses of the call in flight; empty if there is none.
    private(set) var addresses: [AddressAnswer] = []
    private var search: ChangedEntries?
    /// The moment at which the daemon counts as silent; nil for no limit.
    private var end: Deadline?

    init(_ purpose: Purpose, _ connection: DaemonConnection) {
        (self.purpose, self.connection) = (purpose, connection)
    }

    var isBusy: Bool { !addresses.isEmpty }

    /// Milliseconds until the daemon counts as silent; nil if there is no call or no limit.
    var remaining: Int32? { isBusy ? end?.remaining : nil }

    /// - Parameters:
    ///   - call: the message, which fits into the socket's buffer.
    ///   - wait: the time that the daemon is asked to wait before it replies.
    ///   - search: the search in the history to which the call belongs; nil for other calls.
    func send(
        _ call: [UInt8], about addresses: [AddressAnswer], wait: Duration = .zero, search: ChangedEntries? = nil
    ) throws(CommandError) {
        (self.addresses, self.search) = (addresses, search)
        end = connection.limits.end(after: wait)
        try connection.send(call[...])
    }

    /// Returns the reply to the call in flight; nil if only a part of the reply has arrived.
    func receive() throws(CommandError) -> Received? {
        guard let reply = try connection.receivedReplies().first else {
            end = connection.limits.end()
            return nil
        }
        defer { (addresses, search) = ([], nil) }
        return Received(reply: reply, addresses: addresses, search: search)
    }

    /// - Throws: an error if the daemon has not replied in time.
    func checkSilence() throws(CommandError) {
        guard isBusy, let end, end.isOver else { return }
        throw CommandError(silent: connection.path, afterMilliseconds: end.spanMilliseconds, "reply")
    }
}
