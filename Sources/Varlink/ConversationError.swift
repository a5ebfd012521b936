/// Why a connection cannot go on: the stream makes no sense any more.
package enum ConversationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message without an end.
    case messageTooLong(limitBytes: Int)
    /// A message that is no JSON object with a `method`.
    case noCall
    /// A message that is no reply.
    case noReply

    package var description: String {
        switch self {
        case .messageTooLong(let limit): "a message is longer than \(limit) bytes"
        case .noCall: "a message is no Varlink call: it must be a JSON object with a method"
        case .noReply: "a message is no Varlink reply"
        }
    }
}
