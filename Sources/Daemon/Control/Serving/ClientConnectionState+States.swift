import RecordKeeping

extension ClientConnectionState {
    /// The progress of the client's calls. Calls are answered in order, one at a time.
    enum State {
        /// Nothing has been read from the client. The state ends when bytes, or the end of input, are read.
        case silent
        /// No complete call is buffered. The state ends when a call or a large message arrives.
        case idle
        /// Complete calls may be buffered. The state ends in the next turn, which comes when the client has read enough
        /// replies.
        case callsWaiting
        /// A large message waits for the turn of its user, and nothing is read meanwhile. The state ends in that turn,
        /// or when the client is dismissed.
        ///
        /// - Parameter isFirst: whether it is the first message of the client.
        case largeMessageWaiting(isFirst: Bool)
        /// A large message may be handled now. The state ends once the message has been handled, which may be delayed
        /// until the client has read enough replies.
        case largeMessageAdmitted
        /// A request waits for its last reply; later calls stay buffered. The state ends when the request is answered,
        /// or when it is a query and the client hangs up.
        indirect case answering(Answer)
        /// The connection is closed: every event is ignored. The state never ends.
        case closed
    }

    /// The request that is being answered.
    struct Answer {
        let number: UInt64
        let body: Request.Body
        /// Whether a portion of the only reply has been buffered or sent.
        var hasSentPortion = false
        var pace = Pace.free
    }

    /// Whether the next part of a reply may be made.
    enum Pace {
        /// The next part is made when the engine is ready.
        case free
        /// The next part is made when at most `ControlLimits.pageBytes` are unread.
        case limited(Continuation)
    }

    /// Whether further calls are read from the client.
    enum Input {
        /// The socket is read when it is readable. After a hang-up, a read is scheduled or in progress.
        case reading
        /// Nothing is read until the client reads its replies, or calls are handled.
        case paused
        /// The client sends nothing more.
        case ended
        /// The server reads nothing more, and closes the connection once its pending replies are sent.
        case dismissed
    }

    /// Whether calls are being handled.
    enum Handling {
        case none
        /// - Parameter room: the number of addresses that may still be handled in this turn. Each call counts as at
        ///   least `ControlLimits.addressesPerCall`.
        case inTurn(room: Int)
    }
}
