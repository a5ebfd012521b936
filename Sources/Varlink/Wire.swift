import FoundationEssentials

/// Between values and the bytes of a message: one JSON object, then one NUL.
package enum Wire {
    /// The bytes of a message. Members are in the order of their names, so that the same message has the same bytes.
    package static func encode(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(message)) + [0]
        } catch {
            // Our messages hold texts, numbers and lists of them. Only a number that is not finite can fail, and none gets
            // this far: providers' coordinates are checked when they are decoded.
            preconditionFailure("a message that cannot be encoded: \(error)")
        }
    }

    /// - Parameter message: without its NUL.
    /// - Throws: a `DecodingError` for what is no JSON, no UTF-8, nested too deeply or of another shape.
    package static func decode<Message: Decodable>(
        _: Message.Type, from message: some Sequence<UInt8>
    ) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(message))
    }
}
