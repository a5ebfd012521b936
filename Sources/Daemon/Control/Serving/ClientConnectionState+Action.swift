import Varlink

extension ClientConnectionState {
    /// The next step of ``ControlPeer``.
    enum Action {
        case none
        /// Receive bytes, then report them with `received`.
        ///
        /// - Parameter isLast: whether nothing will be read later, so that all remaining bytes must be read now.
        case read(isLast: Bool)
        /// Handle the next call, then report it with `handled`, or with `handledAll` if none is complete.
        case handleCall
        /// Queue the large message for its user's turn, which is reported with `admitted`, then send the replies.
        case awaitTurn
        /// Send the replies, then report that with `sent`.
        case send
        /// Watch the socket for these events, then perform the next action.
        case watch(Poller.Interest, then: FollowUp)
        case followUp(FollowUp)
        /// Stop watching the socket, discard the replies, and continue with `readRest`.
        ///
        /// - Parameter abandonsQuery: whether to notify the engine that the client has abandoned its query.
        case hangUp(abandonsQuery: Bool)
        /// Discard the replies, and report `hungUp` in a later turn: the caller may be performing effects.
        case hangUpLater
        /// Close the connection and discard the replies.
        case close(CloseReason)
    }

    /// The work that ends a chain of actions.
    enum FollowUp {
        /// Wait for the next event.
        case wait
        /// Report `turnCame` in a later turn.
        case scheduleTurn
        /// Make the next part of the reply.
        case continueRequest(Continuation)
        /// Continue with `readRest` in a later turn.
        case readLater
    }

    /// The result of a read.
    enum ReadOutcome {
        /// The socket has no more bytes for now.
        case drained
        /// The limit of a turn was reached.
        case more
        /// The client has stopped sending, or the connection is broken.
        case ended
        /// The client passed file descriptors.
        case descriptors
    }

    /// The sizes of the connection's buffers, in bytes.
    struct Buffers {
        /// Replies that the socket has not accepted.
        var unsent = 0
        /// Received bytes that have not been handled.
        var backlog = ServerConversation.Backlog()
    }

    /// The reason why the server closes a connection.
    enum CloseReason: Equatable {
        /// All replies are sent, and no further call is expected.
        case finished
        /// The server stops, or the client has buffered too much.
        case dropped
        case passedDescriptors
        /// A listener left more than `ControlLimits.unreadBytes` unread.
        case slowListener(unsent: Int)
        case invalidMessage(ConversationError)
    }
}

extension ClientConnectionState.FollowUp: Equatable where Continuation: Equatable {}
extension ClientConnectionState.Action: Equatable where Continuation: Equatable {}
extension ClientConnectionState.FollowUp: Sendable where Continuation: Sendable {}
extension ClientConnectionState.Action: Sendable where Continuation: Sendable {}
