/// The reason why an established connection ended.
package enum ConnectionEnd: Hashable, Sendable, CustomStringConvertible {
    /// `close` was called.
    case closed
    /// The server ended the session with this message.
    case endedByServer(ServerMessage)
    /// The connection broke, or the server closed it without a reason; the text is that of libpq.
    case lost(reason: String)
    /// The time limit of a query passed while the server worked on it, so the connection was closed.
    case queryTimedOut(limit: Duration)
    /// The server sent a reply that this client does not understand, so the connection was closed.
    case unexpectedReply(reason: String)

    package var description: String {
        switch self {
        case .closed: "the connection was closed"
        case .endedByServer(let message): "the server ended the session: \(message)"
        case .lost(let reason): "the connection was lost: \(reason)"
        case .queryTimedOut(let limit): "a query took longer than \(limit.text), so the connection was closed"
        case .unexpectedReply(let reason):
            "the server sent an unexpected reply, so the connection was closed: \(reason)"
        }
    }
}
