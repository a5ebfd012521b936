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

    let purpose: Purpose
    let connection: DaemonConnection
    /// The addresses of the call in flight; empty if there is none.
    private(set) var addresses: [AddressAnswer] = []
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
    func send(_ call: [UInt8], about addresses: [AddressAnswer], wait: Duration = .zero) throws(CommandError) {
        self.addresses = addresses
        end = connection.limits.end(after: wait)
        try connection.send(call[...])
    }

    /// Returns the reply and the addresses of its call; nil if only a part of the reply has arrived.
    func receive() throws(CommandError) -> (reply: ClientConversation.IncomingReply, addresses: [AddressAnswer])? {
        guard let reply = try connection.receivedReplies().first else {
            end = connection.limits.end()
            return nil
        }
        defer { addresses = [] }
        return (reply, addresses)
    }

    /// - Throws: an error if the daemon has not replied in time.
    func checkSilence() throws(CommandError) {
        guard isBusy, let end, end.isOver else { return }
        throw CommandError(silent: connection.path, afterMilliseconds: end.spanMilliseconds, "reply")
    }
}
