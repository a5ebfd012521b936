import RecordKeeping
import Varlink

/// The state of a client's connection, without its socket, its buffers and the clock.
///
/// A method reports an event or the result of an action, and returns the next action. ``ControlPeer`` performs actions
/// until there are none. While calls are handled, replies are only buffered: the action that follows the last call
/// sends them, so an event that occurs during another event never sends replies, reads bytes or handles calls.
///
/// `Continuation` is the work that waits until the client has read most of its replies.
struct ClientConnectionState<Continuation>: ~Copyable {
    private(set) var state = State.silent
    private(set) var input = Input.reading
    private var handling = Handling.none
    /// Whether the other end is closed in both directions. Replies are discarded, and bytes that have arrived are read.
    private(set) var hasHungUp = false
    /// Whether a later turn of the connection is scheduled.
    private var isTurnScheduled = false
    private var lastNumber: UInt64 = 0

    // MARK: Queries

    /// The request that is being answered; nil if there is none.
    var request: Request.Body? { answer?.body }

    /// Whether the request that is being answered is a listener's.
    var isListening: Bool { request?.isListening == true }

    /// Whether the request still needs its last reply. On a closed connection, no request does; after a hang-up, no
    /// query does.
    func isAnswering(_ number: UInt64) -> Bool { answer?.number == number }

    /// Whether a portion of the only reply to the request has been sent.
    func hasSentPortion(of number: UInt64) -> Bool { answer?.number == number && answer?.hasSentPortion == true }

    /// Whether the client has sent data, or its connection has ended. A large message counts only when its turn comes.
    var hasSentFirstCall: Bool {
        switch state {
        case .silent, .largeMessageWaiting(isFirst: true): false
        default: true
        }
    }

    private var answer: Answer? {
        if case .answering(let answer) = state { answer } else { nil }
    }

    private var isDismissed: Bool { input == .dismissed }

    private var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Whether a request other than a listener's is being answered.
    private var isAwaited: Bool { request.map { !$0.isListening } ?? false }

    // MARK: Input

    /// Called when the socket is readable or writable.
    func ready(canRead: Bool) -> Action {
        guard !isClosed else { return .none }
        return input == .reading && canRead ? .read(isLast: false) : .send
    }

    /// Called after `read`, with its outcome.
    mutating func received(_ outcome: ReadOutcome, _ buffers: Buffers) -> Action {
        guard !isClosed else { return .none }
        switch (outcome, input) {
        case (.descriptors, _): return close(.passedDescriptors)
        case (.ended, .reading): input = .ended
        // The poller no longer reports readable bytes; `sent` schedules the next read.
        case (.more, .reading) where hasHungUp: input = .paused
        default: break
        }
        return beginTurn(buffers)
    }

    /// Called when the other end was closed in both directions. Changes that the client requested are made; a query is
    /// abandoned.
    mutating func hungUp() -> Action {
        guard !isClosed, !hasHungUp else { return .none }
        hasHungUp = true
        if input == .paused { input = .reading }
        guard request?.isQuery == true else { return .hangUp(abandonsQuery: false) }
        state = .idle
        return .hangUp(abandonsQuery: true)
    }

    /// Called when `hangUp` has stopped watching the socket and discarded the replies, and when a read that was
    /// scheduled after a hang-up is due.
    mutating func readRest(_ buffers: Buffers) -> Action {
        guard !isClosed else { return .none }
        return input == .reading ? .read(isLast: true) : beginTurn(buffers)
    }

    /// Called when the server disconnects its clients. Calls that have arrived are still answered.
    mutating func dismissed(_ buffers: Buffers) -> Action {
        guard !isClosed, !isDismissed else { return .none }
        let wasReading = input == .reading
        input = .dismissed
        return wasReading ? .read(isLast: true) : beginTurn(buffers)
    }

    // MARK: Calls

    /// Called in the turn that `watch` or `bufferedEvent` has scheduled.
    mutating func turnCame(_ buffers: Buffers) -> Action {
        isTurnScheduled = false
        return beginTurn(buffers)
    }

    /// Handles the server's permission to handle a large message.
    mutating func admitted(_ buffers: Buffers) -> Action {
        if case .largeMessageWaiting = state { state = .largeMessageAdmitted }
        return beginTurn(buffers)
    }

    private mutating func beginTurn(_ buffers: Buffers) -> Action {
        guard !isClosed, case .none = handling else { return .none }
        switch state {
        case .silent where buffers.backlog.nextMessage == nil, .callsWaiting: state = .idle
        default: break
        }
        handling = .inTurn(room: isDismissed ? .max : ControlLimits.addressesPerTurn)
        return nextCall(buffers)
    }

    private mutating func nextCall(_ buffers: Buffers) -> Action {
        guard !isClosed, case .inTurn(let room) = handling else { return .none }
        switch state {
        case .answering: return endTurn()
        case .largeMessageWaiting where !isDismissed: return endTurn()
        default: break
        }
        guard room > 0, buffers.unsent <= ControlLimits.unreadBytes else {
            // Once admitted, a large message does not wait for its user's next turn.
            if buffers.backlog.bytes > 0, !isAdmitted { state = .callsWaiting }
            return endTurn()
        }
        if let bytes = buffers.backlog.nextMessage, bytes > ControlLimits.bytesPerSmallMessage, !isAdmitted,
            !isDismissed
        {
            state = .largeMessageWaiting(isFirst: !hasSentFirstCall)
            handling = .none
            return .awaitTurn
        }
        state = .idle
        return .handleCall
    }

    private var isAdmitted: Bool {
        if case .largeMessageAdmitted = state { true } else { false }
    }

    private mutating func endTurn() -> Action {
        handling = .none
        return .send
    }

    /// Called during `handleCall` when a request is passed to the engine.
    ///
    /// - Returns: the number of the request.
    mutating func began(_ body: Request.Body) -> UInt64 {
        lastNumber += 1
        state = .answering(Answer(number: lastNumber, body: body))
        return lastNumber
    }

    /// Called when `handleCall` has handled a call.
    ///
    /// - Parameter addresses: the cost of the call.
    mutating func handled(_ addresses: Int, _ buffers: Buffers) -> Action {
        guard case .inTurn(let room) = handling else { return .none }
        handling = .inTurn(room: room - max(ControlLimits.addressesPerCall, addresses))
        return nextCall(buffers)
    }

    /// Called when `handleCall` has found no complete call in the buffer.
    mutating func handledAll() -> Action {
        isClosed ? .none : endTurn()
    }

    // MARK: Replies

    /// Called when the last reply to a request has been encoded.
    ///
    /// - Returns: whether to buffer it.
    mutating func answered(_ number: UInt64) -> Bool {
        guard isAnswering(number) else { return false }
        if case .none = handling { state = .callsWaiting } else { state = .idle }
        return true
    }

    /// Called when a portion of a request's only reply has been encoded.
    ///
    /// - Returns: whether to buffer it.
    mutating func madePortion(_ number: UInt64) -> Bool {
        guard case .answering(var answer) = state, answer.number == number else { return false }
        answer.hasSentPortion = true
        state = .answering(answer)
        return true
    }

    /// Called when a reply, or a part of one, has been buffered.
    func buffered() -> Action {
        guard !isClosed, case .none = handling else { return .none }
        return .send
    }

    /// Called when an event has been buffered for a listener. Events often arrive by the thousand, so many are sent
    /// with one system call.
    ///
    /// - Parameter unsentBefore: the unsent bytes before this event.
    mutating func bufferedEvent(unsentBefore: Int, unsent: Int) -> Action {
        guard unsentBefore <= ControlLimits.unreadBytes else { return close(.slowListener(unsent: unsentBefore)) }
        guard case .send = buffered() else { return .none }
        guard unsent <= ControlLimits.bytesPerFlush else { return .send }
        return schedulesTurn() ? .followUp(.scheduleTurn) : .none
    }

    private mutating func schedulesTurn() -> Bool {
        defer { isTurnScheduled = true }
        return !isTurnScheduled
    }

    /// Called when a request pauses until at most `ControlLimits.pageBytes` are unread.
    mutating func paused(_ number: UInt64, unsent: Int, then continuation: Continuation) -> Action {
        guard case .answering(var answer) = state, answer.number == number else { return .none }
        guard unsent > ControlLimits.pageBytes else { return .followUp(.continueRequest(continuation)) }
        answer.pace = .limited(continuation)
        state = .answering(answer)
        return .none
    }

    /// Called when `send` has passed the socket as many replies as it had room for.
    ///
    /// - Parameter isConnected: false if the connection is broken.
    mutating func sent(isConnected: Bool, _ buffers: Buffers) -> Action {
        guard !isClosed else { return .none }
        guard isConnected else { return .hangUpLater }
        let hasCalls: Bool
        switch state {
        case .callsWaiting, .largeMessageAdmitted: hasCalls = true
        default: hasCalls = false
        }
        if buffers.unsent == 0, !hasCalls, isComplete { return close(.finished) }
        let wasPaused = input == .paused
        watchInput(buffers, hasCalls: hasCalls)
        var interest: Poller.Interest = buffers.unsent > 0 ? .writing : []
        if input == .reading { interest.insert(.reading) }
        if let continuation = dueContinuation(buffers) { return .watch(interest, then: .continueRequest(continuation)) }
        if hasCalls, buffers.unsent <= ControlLimits.unreadBytes {
            return .watch(interest, then: schedulesTurn() ? .scheduleTurn : .wait)
        }
        return .watch(interest, then: hasHungUp && wasPaused && input == .reading ? .readLater : .wait)
    }

    /// Whether the connection is closed once all replies are sent and all calls that have arrived are handled. A client
    /// that has stopped sending still gets its replies; the connection of a listener that has stopped sending is
    /// closed.
    private var isComplete: Bool {
        switch (input, state) {
        case (.reading, _), (.paused, _), (.ended, .largeMessageWaiting): false
        case (.ended, _), (.dismissed, _): !isAwaited
        }
    }

    /// Reads further calls only while the client reads its replies and its calls are handled.
    private mutating func watchInput(_ buffers: Buffers, hasCalls: Bool) {
        guard input == .reading || input == .paused else { return }
        // After a hang-up, the calls that were read are handled before the rest is read.
        let isBehind = hasCalls && (hasHungUp || buffers.backlog.bytes > ControlLimits.bytesPerTurn)
        let isLargeMessageWaiting = if case .largeMessageWaiting = state { true } else { false }
        let canRead = buffers.unsent <= ControlLimits.unreadBytes && !buffers.backlog.isFull
        input = canRead && !isBehind && !isLargeMessageWaiting ? .reading : .paused
    }

    /// Returns the paused request's continuation, once, if the client has read enough. A dismissed listener gets
    /// no further page of kept events.
    private mutating func dueContinuation(_ buffers: Buffers) -> Continuation? {
        guard case .answering(var answer) = state, case .limited(let continuation) = answer.pace,
            buffers.unsent <= ControlLimits.pageBytes, !isDismissed || !isListening
        else { return nil }
        answer.pace = .free
        state = .answering(answer)
        return continuation
    }

    // MARK: End

    /// Called when the server closes the connection, or when the client has sent an invalid message.
    mutating func close(_ reason: CloseReason) -> Action {
        guard !isClosed else { return .none }
        (state, handling) = (.closed, .none)
        return .close(reason)
    }
}
