import Varlink

/// The bytes of a message, with its NUL.
func wire(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

/// The text of one message, without its NUL.
func text(_ bytes: [UInt8]) -> String {
    precondition(bytes.last == 0, "a message ends with one NUL")
    return String(decoding: bytes.dropLast(), as: UTF8.self)
}

extension ServerConversation {
    /// One that has the message before it.
    init(holding message: String) {
        self.init(limitBytes: 1_000_000)
        receive(wire(message))
    }

    /// The call that a message is.
    static func call(_ message: String) throws(ConversationError) -> IncomingCall? {
        var conversation = ServerConversation(holding: message)
        return try conversation.next()
    }
}

/// What a made-up method takes.
struct Asked: CallParameters, Hashable {
    static let names: Set<String> = ["name", "count", "list"]

    var name: String
    var count: Int?
    var list: [String]?
}
