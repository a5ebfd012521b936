import Varlink

/// Returns the bytes of a message, with its NUL.
func wire(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

/// Returns the text of one message, without its NUL.
func text(_ bytes: [UInt8]) -> String {
    precondition(bytes.last == 0, "a message ends with one NUL")
    return String(decoding: bytes.dropLast(), as: UTF8.self)
}

extension ServerConversation {
    /// Creates a conversation that has received a message.
    init(holding message: String) {
        self.init(limitBytes: 1_000_000)
        receive(wire(message))
    }

    /// Decodes a message as a call.
    static func call(_ message: String) throws(ConversationError) -> IncomingCall? {
        var conversation = ServerConversation(holding: message)
        return try conversation.next()
    }
}

/// The parameters of a fictitious method.
struct Asked: CallParameters, Codable, Hashable {
    static let names: Set<String> = ["name", "count", "list"]

    var name: String
    var count: Int64?
    var list: [String]?

    init(name: String, count: Int64? = nil, list: [String]? = nil) {
        (self.name, self.count, self.list) = (name, count, list)
    }

    init(_ members: CallMembers) throws(ServiceError) {
        name = try members.required("name", members.text)
        count = try members.number("count")
        list = try members.texts("list")
    }
}
