/// The server's end of one connection: decodes bytes as calls, and selects the replies to send.
///
/// A client may send calls before it has received the replies to earlier calls. ``next()`` returns a call only after
/// the last reply to the previous call, so each call sees the effects of the calls before it, and replies are in order.
/// Later calls stay buffered as bytes; ``Backlog/isFull`` bounds the buffer.
package struct ServerConversation: ~Copyable, Sendable {
    private var framer: Framer
    private let maxValues: Int
    /// The call that is being answered.
    private var current: Current?

    /// The properties of a call that determine which replies are sent.
    private struct Current: Sendable {
        let wantsMore: Bool
        let isOneway: Bool
    }

    /// - Parameters:
    ///   - limitBytes: the maximum size of a message, in bytes.
    ///   - maxValues: the maximum number of values and names that are decoded from a message
    ///     (``IncomingCall/hasTooManyValues``).
    package init(limitBytes: Int, maxValues: Int = .max) {
        framer = Framer(limitBytes: limitBytes)
        self.maxValues = maxValues
    }

    /// Appends bytes from the client. After an error, bytes are ignored.
    package mutating func receive(_ bytes: some Sequence<UInt8>) {
        Array(bytes).withUnsafeBytes { receive($0) }
    }

    /// Appends bytes from the client. After an error, bytes are ignored.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        framer.receive(bytes)
    }

    /// The number of bytes received and not yet returned as a call.
    package var bufferedBytes: Int { framer.bufferedBytes }

    /// The bytes received and not yet returned as a call.
    package struct Backlog: Equatable, Sendable {
        package let bytes: Int
        /// The length of the next message, in bytes; nil during a call, or until the message is complete.
        package let nextMessage: Int?
        /// Whether the server should stop reading: a call is being answered, and `bytes` exceeds the maximum size of a
        /// message.
        package let isFull: Bool

        package init(bytes: Int = 0, nextMessage: Int? = nil, isFull: Bool = false) {
            (self.bytes, self.nextMessage, self.isFull) = (bytes, nextMessage, isFull)
        }
    }

    package var backlog: Backlog {
        mutating get {
            let bytes = framer.bufferedBytes
            guard current == nil else { return Backlog(bytes: bytes, isFull: bytes > framer.limitBytes) }
            return Backlog(bytes: bytes, nextMessage: framer.nextMessageBytes())
        }
    }

    /// Returns the next call; nil while a call is being answered, or until more bytes arrive.
    ///
    /// - Throws: the error that ended the conversation; every later call throws it again.
    package mutating func next() throws(ConversationError) -> IncomingCall? {
        guard current == nil, let message = try framer.next() else { return nil }
        do throws(ConversationError) {
            let call = try IncomingCall(message: message, maxValues: maxValues)
            current = Current(wantsMore: call.wantsMore, isOneway: call.isOneway)
            return call
        } catch {
            throw framer.fail(error)
        }
    }

    /// The result of reading a message without ``next()``.
    package enum Handling: Sendable {
        /// The call has been answered.
        case answered
        /// The call has been decoded. The client expects one reply.
        case decoded
        /// Nothing has been done with the message; ``next()`` returns its call.
        case none
    }

    /// Passes the next message to `read`, which may handle it instead of ``next()``.
    ///
    /// - Parameter read: receives the message.
    /// - Returns: the result of `read`; `none` while a call is being answered, or until more bytes arrive.
    package mutating func handle(_ read: (UnsafeBufferPointer<UInt8>) -> Handling) -> Handling {
        guard current == nil else { return .none }
        var handling = Handling.none
        _ = framer.skip { message in
            handling = read(message)
            return handling != .none
        }
        if handling == .decoded { current = Current(wantsMore: false, isOneway: false) }
        return handling
    }

    /// Returns the bytes to send for a reply to the current call, other than the last reply: none if the client accepts
    /// only one reply or expects no reply.
    ///
    /// - Parameter message: a message from `OutgoingReply`, encoded with `continues`.
    package func continued(_ message: [UInt8]) -> [UInt8] {
        guard let current, current.wantsMore, !current.isOneway else { return [] }
        return message
    }

    /// Returns the bytes to send for a portion of the only reply to the current call: none if the client expects no
    /// reply.
    ///
    /// - Parameter bytes: the next bytes of the reply; pass the last bytes to `finished`.
    package func portion(_ bytes: [UInt8]) -> [UInt8] {
        current?.isOneway == false ? bytes : []
    }

    /// Ends the current call and returns the bytes to send for its last reply: none if the client expects no reply.
    package mutating func finished(_ message: [UInt8]) -> [UInt8] {
        defer { current = nil }
        return current?.isOneway == false ? message : []
    }
}
