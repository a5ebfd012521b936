import Glibc
import RecordKeeping
import Varlink

/// Encoded replies to a client, and the order in which they are sent.
extension ControlPeer {
    /// Sends the last reply to a request.
    func answer(_ number: UInt64, _ message: [UInt8]) {
        if state.answered(number) { finish(message) }
    }

    /// Sends one page of a reply with several pages. The next page is not made until the client has read this one.
    func answerPart(_ number: UInt64, _ message: [UInt8]) {
        guard state.isAnswering(number) else { return }
        put(conversation.continued(message))
        perform(state.buffered())
    }

    /// Sends a portion of the only reply to a request. The next portion is not made until the client has read this one.
    func answerPortion(_ number: UInt64, _ bytes: [UInt8]) {
        guard state.madePortion(number) else { return }
        put(conversation.portion(bytes))
        perform(state.buffered())
    }

    /// - Parameter goOn: called at once, or when at most `ControlLimits.pageBytes` of the replies are unread.
    func resume(_ number: UInt64, _ goOn: @escaping () -> Void) {
        perform(state.paused(number, unsent: outbox.bytes, then: goOn))
    }

    /// Sends one event of a listener's reply. A listener with more than `ControlLimits.unreadBytes` unread is dropped.
    func publish(_ number: UInt64, _ message: [UInt8]) {
        guard state.isAnswering(number) else { return }
        let before = outbox.bytes
        put(conversation.continued(message))
        perform(state.bufferedEvent(unsentBefore: before, unsent: outbox.bytes))
    }

    /// Sends the last reply to the current call of the conversation.
    func finish(_ message: [UInt8]) {
        put(conversation.finished(message))
        perform(state.buffered())
    }

    /// Appends a message to the outbox. After a hang-up, the message is discarded.
    private func put(_ message: [UInt8]) {
        if !state.hasHungUp { outbox.append(message) }
    }

    /// Moves replies of the fast path into the outbox before the engine handles a call: the engine's replies to this
    /// client must follow them, and its replies to other clients are sent at once.
    func keepReplies() {
        guard server.freshReader.bytes > 0 else { return }
        server.freshReader.flush { outbox.append($0) }
    }

    /// Sends a part of a large reply, which the client reads while the rest is encoded. A broken connection is detected
    /// when the last part is sent.
    func sendSome(_ part: UnsafeBufferPointer<UInt8>) {
        _ = outbox.write(part, to: socket.descriptor)
    }

    /// Sends as much of the outbox and of the fast path's replies as the socket accepts.
    ///
    /// - Returns: false if the connection is broken.
    func send() -> Bool {
        guard server.freshReader.bytes > 0 else { return outbox.write(to: socket.descriptor) }
        var isWhole = true
        server.freshReader.flush { isWhole = outbox.write($0, to: socket.descriptor) }
        return isWhole
    }
}
