import Control
import Glibc
import RecordKeeping
import Varlink

/// A client's socket with everything that is read from it and written to it: the state of the connection, unhandled
/// calls and unread replies.
///
/// ``ControlPeer`` performs the actions that involve the engine or the server. All others are performed in `advance`,
/// in one access to the channel: at run time, Swift checks each access to a property of a class for exclusivity, and a
/// check for each step would take a seventh of the instructions of a short request.
struct ClientChannel: ~Copyable {
    typealias State = ClientConnectionState<() -> Void>

    var socket: PolledSocket
    var state = State()
    var conversation = ClientChannel.emptyConversation
    var outbox = Outbox()

    private static var emptyConversation: ServerConversation {
        ServerConversation(limitBytes: ControlLimits.messageBytes, maxValues: ControlLimits.valuesPerMessage)
    }

    init(_ socket: PolledSocket) {
        self.socket = socket
    }

    /// The bytes that the server counts for this client: unhandled calls, the current request and unsent replies.
    var heldBytes: Int {
        conversation.bufferedBytes + (state.request?.heldBytes ?? 0) + outbox.reservedBytes
    }

    /// - Parameter freshBytes: the size of the fast path's replies to this client, in bytes.
    mutating func buffers(_ freshBytes: Int) -> State.Buffers {
        State.Buffers(unsent: outbox.bytes + freshBytes, backlog: conversation.backlog)
    }

    /// Discards the calls and the replies.
    mutating func clear() {
        outbox = Outbox()
        conversation = Self.emptyConversation
    }

    // MARK: Actions

    /// Performs actions until one of them involves the engine or the server, and returns that action, which is never
    /// `read`, `send` or `watch`. Calls are handled here as long as the fast path can answer them. With `handleCall`,
    /// the request is returned as well if the fast path has decoded the call.
    ///
    /// - Parameters:
    ///   - moment: the time that successive calls on the fast path share.
    ///   - reader: the fast path, with its replies to this client.
    mutating func advance(
        _ first: State.Action, at moment: inout Instant?, with reader: inout FreshReader, on server: ControlServer
    ) -> (State.Action, Request.Body?) {
        var action = first
        while true {
            switch action {
            case .read(let isLast):
                let outcome = read(isLast: isLast, on: server)
                action = state.received(outcome, buffers(reader.bytes))
            case .handleCall:
                // Most turns end here, after the only call that has arrived.
                guard conversation.bufferedBytes > 0 else {
                    action = state.handledAll()
                    continue
                }
                switch answerFresh(at: &moment, with: &reader, from: server.engine) {
                case .answered: action = state.handled(reader.addressCount, buffers(reader.bytes))
                case .decoded: return (action, reader.request)
                case .none: return (action, nil)
                }
            case .send:
                let isConnected = state.hasHungUp || send(&reader)
                action = state.sent(isConnected: isConnected, buffers(reader.bytes))
            case .watch(let interest, let next):
                socket.watch(interest)
                action = .followUp(next)
            default: return (action, nil)
            }
        }
    }

    /// Receives bytes, at most `ControlLimits.bytesPerTurn`.
    ///
    /// - Parameter isLast: whether nothing will be read later, so that all remaining bytes must be read now.
    private mutating func read(isLast: Bool, on server: ControlServer) -> State.ReadOutcome {
        var room = ControlLimits.bytesPerTurn
        while room > 0 {
            let count = server.read(socket.connection) { conversation.receive($0) }
            let reason = errno
            if count == Connection.hasDescriptors { return .descriptors }
            if count > 0 {
                room -= count
                if count < ControlServer.pieceBytes, !isLast { return .drained }
            } else if count == 0 {
                return .ended
            } else if reason == EAGAIN, !state.hasHungUp {
                return .drained
            } else if reason != EINTR {
                // The connection is broken, for example because the client closed it with unread replies (ECONNRESET).
                return .ended
            }
        }
        return .more
    }

    /// Answers the next call on the fast path, if possible (``FreshReader/reply(to:at:from:send:)``). Parts of a large
    /// reply are sent while the rest is encoded; a broken connection is detected when the last part is sent.
    private mutating func answerFresh(
        at moment: inout Instant?, with reader: inout FreshReader, from engine: Engine
    ) -> ServerConversation.Handling {
        guard !state.hasHungUp else { return .none }
        return conversation.handle { message in
            reader.reply(to: message, at: &moment, from: engine) { _ = outbox.write($0, to: socket.descriptor) }
        }
    }

    /// Sends as much of the outbox and of the fast path's replies as the socket accepts.
    ///
    /// - Returns: false if the connection is broken.
    mutating func send(_ reader: inout FreshReader) -> Bool {
        guard reader.bytes > 0 else { return outbox.write(to: socket.descriptor) }
        var isWhole = true
        reader.flush { isWhole = outbox.write($0, to: socket.descriptor) }
        return isWhole
    }

    /// Moves replies of the fast path into the outbox before the engine handles a call: the engine's replies to this
    /// client must follow them, and its replies to other clients are sent at once.
    mutating func keepReplies(of reader: inout FreshReader) {
        guard reader.bytes > 0 else { return }
        reader.flush { outbox.append($0) }
    }
}
