import JSON

/// Conversion between values and messages: one JSON object, followed by one NUL.
///
/// It takes the place of `JSONEncoder` and `JSONDecoder`, whose casts to protocols took a tenth of the instructions of
/// `ipctl status`.
package enum Wire {
    /// Encodes a message. Members are sorted by name, so equal messages have equal bytes.
    package static func encode(_ message: some Encodable) -> [UInt8] {
        let encoder = ValueEncoder(codingPath: [])
        do {
            try message.encode(to: encoder)
        } catch {
            // Messages contain strings, numbers and lists of these. Encoding fails only for a number that is not
            // finite, and coordinates are checked when a provider's reply is decoded.
            preconditionFailure("cannot encode a message: \(error)")
        }
        var writer = JSONWriter()
        encoder.result.value.write(to: &writer)
        return writer.withBytes { [UInt8]($0) } + [0]
    }

    /// Decodes a message.
    ///
    /// - Parameter message: without its NUL.
    /// - Throws: a `DecodingError` if the message is not JSON in UTF-8, is nested too deeply, or does not match the
    ///   type; any other error that the type throws.
    package static func decode<Message: Decodable>(
        _: Message.Type, from message: some Sequence<UInt8>
    ) throws -> Message {
        try Message(from: ValueDecoder(try value(of: Array(message)), codingPath: []))
    }

    private static func value(of message: [UInt8]) throws(DecodingError) -> Value {
        do throws(JSONError) {
            var scanner = JSONScanner(message.span.bytes)
            let value = try Value(from: &scanner)
            try scanner.end()
            return value
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "\(error)", underlyingError: error))
        }
    }
}
