/// An error after which a connection is unusable, because the stream cannot be parsed any further.
package enum ConversationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message exceeds the limit.
    case messageTooLong(limitBytes: Int)
    /// A message is not a JSON object with a `method`, or has too many values outside its parameters.
    case noCall
    /// A message is not a reply, or its parameters do not match the expected type.
    case noReply

    package var description: String {
        switch self {
        case .messageTooLong(let limit): "the message is longer than \(limit) bytes"
        case .noCall: "not a valid Varlink call: expected a JSON object with a \"method\""
        case .noReply: "not a valid Varlink reply"
        }
    }
}
