/// The server's end of one connection: bytes in, calls out; replies in, bytes out.
///
/// A client may send calls before the replies to earlier ones have come. They are handed out one after the other, each when the
/// one before has its last reply: so a call sees what the one before it did, and replies are in order by themselves. What is
/// not handed out yet stays as bytes, and `isFull` says when to stop reading.
package struct ServerConversation: Sendable {
    private var framer: Framer
    private let maxValues: Int
    /// The call that was handed out and has not had its last reply.
    private var current: Current?
    /// Why there are no more calls: what comes after a message that makes no sense has none either.
    private var failure: ConversationError?

    /// What has to be known of a call while it is being answered.
    private struct Current: Sendable {
        let wantsMore: Bool
        let isOneway: Bool
    }

    /// - Parameters:
    ///   - limitBytes: the maximum size of a message.
    ///   - maxValues: the most values and names of a message that are decoded (``IncomingCall/hasTooManyValues``).
    package init(limitBytes: Int, maxValues: Int = .max) {
        framer = Framer(limitBytes: limitBytes)
        self.maxValues = maxValues
    }

    package mutating func receive(_ bytes: some Sequence<UInt8>) {
        Array(bytes).withUnsafeBytes { receive($0) }
    }

    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        framer.receive(bytes)
    }

    /// What has come and was not handed out yet.
    package var bufferedBytes: Int { framer.bufferedBytes }

    /// The length of the next message, in bytes; nil during a call, or until the message is complete.
    package var nextMessageBytes: Int? {
        mutating get { current == nil && failure == nil ? framer.nextMessageBytes() : nil }
    }

    /// More has come than is to be kept while a call is being answered.
    package var isFull: Bool { current != nil && framer.bufferedBytes > framer.limitBytes }

    /// The next call to answer; nil while one is being answered, or until more bytes come.
    ///
    /// - Throws: the same error ever after, and nothing more is taken.
    package mutating func next() throws(ConversationError) -> IncomingCall? {
        guard current == nil else { return nil }
        if let failure { throw failure }
        do throws(ConversationError) {
            guard let message = try nextMessage() else { return nil }
            let call = try IncomingCall(message: message, maxValues: maxValues)
            current = Current(wantsMore: call.wantsMore, isOneway: call.isOneway)
            return call
        } catch {
            failure = error
            framer = Framer(limitBytes: framer.limitBytes)
            throw error
        }
    }

    /// Answers the next call without making anything of it, where `answer` can.
    ///
    /// - Parameter answer: looks at the message; returns whether it has answered it.
    /// - Returns: whether the next call was answered so. If not, it is still the next.
    package mutating func skip(_ answer: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard current == nil, failure == nil else { return false }
        return framer.skip(answer)
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

    /// One reply to the current call, with more to follow.
    ///
    /// - Parameter message: from `OutgoingReply`, with `continues`.
    /// - Returns: what is to be sent: nothing where the client takes no reply, or only one.
    package func continued(_ message: [UInt8]) -> [UInt8] {
        guard let current, current.wantsMore, !current.isOneway else { return [] }
        return message
    }

    /// Returns the bytes to send for a portion of the one reply to the current call: none if the client expects no
    /// reply.
    ///
    /// - Parameter bytes: the next bytes of the reply; the last ones go through `finished`.
    package func portion(_ bytes: [UInt8]) -> [UInt8] {
        current?.isOneway == false ? bytes : []
    }

    /// The last reply to the current call; the next may be handed out.
    package mutating func finished(_ message: [UInt8]) -> [UInt8] {
        defer { current = nil }
        return current?.isOneway == false ? message : []
    }
}
