package import JSON

/// The client's end of one connection: encodes calls as bytes, and decodes bytes as replies.
package struct ClientConversation: Sendable {
    /// A reply, successful or not.
    package struct IncomingReply: Sendable {
        /// Whether more replies to the same call follow.
        package let continues: Bool
        /// The full name of the error; nil for a successful reply.
        package let error: String?
        private let message: [UInt8]

        /// The place of the parameters in `message`; nil if there are none.
        private let parametersRange: Range<Int>?

        fileprivate init(message: ArraySlice<UInt8>, _ read: ParametersReader) throws(ConversationError) {
            self.message = Array(message)
            do {
                let envelope = try Envelope(self.message, read)
                continues = envelope.continues
                error = envelope.error
                parametersRange = envelope.parameters
            } catch {
                throw .noReply
            }
        }

        /// The parameters as JSON, without decoding them; `{}` if the reply has none.
        package var parametersJSON: ArraySlice<UInt8> {
            parametersRange.map { message[$0] } ?? ArraySlice("{}".utf8)
        }

        /// The parameters as a JSON object; empty if the reply has none or if a string in them is invalid.
        ///
        /// They are decoded on each access. If the type of the parameters is known, use ``parameters(as:)`` instead.
        package var parameters: Value {
            do {
                return try Wire.decode(Value.self, from: parametersJSON)
            } catch {
                // The envelope was decoded, so the parameters are JSON: a string in them has an invalid escape or an
                // unpaired surrogate.
                return .object([:])
            }
        }

        /// Decodes the parameters as the type that the method declares. Unknown members are ignored, because the server
        /// may be newer.
        ///
        /// - Throws: `noReply` if the parameters are missing or do not match the type.
        package func parameters<Parameters: Decodable>(as _: Parameters.Type) throws(ConversationError) -> Parameters {
            guard parametersRange != nil else { throw .noReply }
            do {
                return try Wire.decode(Parameters.self, from: parametersJSON)
            } catch {
                throw .noReply
            }
        }
    }

    /// The members of a reply. The parameters are located, but not decoded.
    private struct Envelope {
        var continues = false
        var error: String?
        var parameters: Range<Int>?

        /// - Throws: an error if the message is not an object in JSON, or if a member has the wrong type; any error of
        ///   `read`.
        init(_ message: [UInt8], _ read: ParametersReader) throws {
            var scanner = JSONScanner(message.span.bytes)
            try scanner.beginObject()
            while let name = try scanner.nextName() {
                switch scanner.string(of: name) {
                case "continues" where try scanner.kind() != .null: continues = try scanner.bool()
                case "error" where try scanner.kind() != .null: error = scanner.string(of: try scanner.string())
                case "parameters" where try scanner.kind() != .null:
                    let start = try scanner.startOfValue()
                    try read(&scanner)
                    parameters = start..<scanner.offset
                default: try scanner.skip()
                }
            }
            try scanner.end()
        }
    }

    private struct Call<Parameters: Encodable>: Encodable {
        var method: String
        var parameters: Parameters
        var more: Bool?
    }

    private var framer: Framer

    /// - Parameter limitBytes: the maximum size of a reply, in bytes.
    package init(limitBytes: Int) {
        framer = Framer(limitBytes: limitBytes)
    }

    /// Encodes a call.
    ///
    /// - Parameter more: whether the client accepts several replies.
    package static func call(_ method: String, _ parameters: some Encodable, more: Bool = false) -> [UInt8] {
        Wire.encode(Call(method: method, parameters: parameters, more: more ? true : nil))
    }

    /// Appends bytes from the server. After an error, bytes are ignored.
    package mutating func receive(_ bytes: some Sequence<UInt8>) {
        framer.receive(bytes)
    }

    /// Appends bytes from the server. After an error, bytes are ignored.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        framer.receive(bytes)
    }

    /// A function that reads the parameters of a reply, from the beginning of their value to its end.
    package typealias ParametersReader = (inout JSONScanner) throws -> Void

    /// Validates parameters without using them.
    package static func validate(_ scanner: inout JSONScanner) throws { try scanner.skip() }

    /// Returns the next complete reply; nil until more bytes arrive.
    ///
    /// - Parameter read: reads the parameters, if the reply has any; by default, they are validated. If it throws, the
    ///   message counts as invalid. The reply may be an error.
    /// - Throws: the error that ended the conversation; every later call throws it again.
    package mutating func next(
        reading read: ParametersReader = ClientConversation.validate
    ) throws(ConversationError) -> IncomingReply? {
        guard let message = try framer.next() else { return nil }
        do throws(ConversationError) {
            return try IncomingReply(message: message, read)
        } catch {
            throw framer.fail(error)
        }
    }
}
