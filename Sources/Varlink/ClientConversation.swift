/// The client's end of one connection: calls as bytes, and bytes as replies.
package struct ClientConversation: Sendable {
    /// A reply, or an error in its place.
    package struct IncomingReply: Sendable {
        /// More replies to the same call follow.
        package let continues: Bool
        /// The error's full name; nil for a good reply.
        package let error: String?
        private let message: [UInt8]

        private struct Envelope: Decodable {
            var continues: Bool?
            var error: String?
        }

        private struct Body<Parameters: Decodable>: Decodable {
            var parameters: Parameters
        }

        fileprivate init(message: ArraySlice<UInt8>) throws(ConversationError) {
            do {
                let envelope = try Wire.decode(Envelope.self, from: message)
                continues = envelope.continues ?? false
                error = envelope.error
                self.message = Array(message)
            } catch {
                throw .noReply
            }
        }

        /// An object, as it came; without members where the reply has none.
        ///
        /// Taken apart when it is asked for: who knows the shape of a reply has no need of it.
        package var parameters: Value {
            do {
                return try Wire.decode(Body<Value?>.self, from: message).parameters ?? .object([:])
            } catch {
                // The message is JSON, or it were no reply: nothing is missing but the parameters.
                return .object([:])
            }
        }

        /// The parameters as the method declares them. What is not known is passed over: the server may be newer.
        package func parameters<Parameters: Decodable>(as _: Parameters.Type) throws(ConversationError) -> Parameters {
            do {
                return try Wire.decode(Body<Parameters>.self, from: message).parameters
            } catch {
                throw .noReply
            }
        }
    }

    private struct Call<Parameters: Encodable>: Encodable {
        var method: String
        var parameters: Parameters
        var more: Bool?
    }

    private var framer: Framer
    /// Why there are no more replies: what comes after a message that makes no sense has none either.
    private var failure: ConversationError?

    /// - Parameter limitBytes: the largest reply.
    package init(limitBytes: Int) {
        framer = Framer(limitBytes: limitBytes)
    }

    /// - Parameter more: take several replies.
    package static func call(_ method: String, _ parameters: some Encodable, more: Bool = false) -> [UInt8] {
        Wire.encode(Call(method: method, parameters: parameters, more: more ? true : nil))
    }

    package mutating func receive(_ bytes: some Sequence<UInt8>) {
        guard failure == nil else { return }
        framer.receive(bytes)
    }

    /// The next whole reply; nil until more bytes come.
    ///
    /// - Throws: the same error ever after, and nothing more is taken.
    package mutating func next() throws(ConversationError) -> IncomingReply? {
        if let failure { throw failure }
        do throws(ConversationError) {
            guard let message = try nextMessage() else { return nil }
            return try IncomingReply(message: message)
        } catch {
            failure = error
            framer = Framer(limitBytes: framer.limitBytes)
            throw error
        }
    }

    private mutating func nextMessage() throws(ConversationError) -> ArraySlice<UInt8>? {
        do throws(Framer.Failure) {
            return try framer.next()
        } catch {
            switch error {
            case .messageTooLong(let limit): throw .messageTooLong(limitBytes: limit)
            }
        }
    }
}
