import FoundationEssentials

/// Conversion between values and messages: one JSON object, followed by one NUL.
package enum Wire {
    /// Encodes a message. Members are sorted by name, so equal messages have equal bytes.
    package static func encode(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(message)) + [0]
        } catch {
            // Messages contain strings, numbers and lists of these. Encoding fails only for a number that is not
            // finite, and coordinates are checked when a provider's reply is decoded.
            preconditionFailure("cannot encode a message: \(error)")
        }
    }

    /// Decodes a message.
    ///
    /// - Parameter message: without its NUL.
    /// - Throws: a `DecodingError` if the message is not JSON in UTF-8, is nested too deeply, or does not match the
    ///   type.
    package static func decode<Message: Decodable>(
        _: Message.Type, from message: some Sequence<UInt8>
    ) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(message))
    }
}
