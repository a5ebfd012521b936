import RecordKeeping
import Varlink

/// Encoded replies to a client, and the order in which they are sent.
extension ControlPeer {
    /// Sends the last reply to a request.
    func answer(_ number: UInt64, _ message: [UInt8]) {
        if channel.state.answered(number) { finish(message) }
    }

    /// Sends one page of a reply with several pages. The next page is not made until the client has read this one.
    func answerPart(_ number: UInt64, _ message: [UInt8]) {
        guard channel.state.isAnswering(number) else { return }
        put(channel.conversation.continued(message))
        perform(channel.state.buffered())
    }

    /// Sends a portion of the only reply to a request. The next portion is not made until the client has read this one.
    func answerPortion(_ number: UInt64, _ bytes: [UInt8]) {
        guard channel.state.madePortion(number) else { return }
        put(channel.conversation.portion(bytes))
        perform(channel.state.buffered())
    }

    /// - Parameter goOn: called at once, or when at most `ControlLimits.pageBytes` of the replies are unread.
    func resume(_ number: UInt64, _ goOn: @escaping () -> Void) {
        perform(channel.state.paused(number, unsent: channel.outbox.bytes, then: goOn))
    }

    /// Sends one event of a listener's reply. A listener with more than `ControlLimits.unreadBytes` unread is dropped.
    func publish(_ number: UInt64, _ message: [UInt8]) {
        guard channel.state.isAnswering(number) else { return }
        let before = channel.outbox.bytes
        put(channel.conversation.continued(message))
        perform(channel.state.bufferedEvent(unsentBefore: before, unsent: channel.outbox.bytes))
    }

    /// Sends the last reply to the current call of the conversation.
    func finish(_ message: [UInt8]) {
        put(channel.conversation.finished(message))
        perform(channel.state.buffered())
    }

    /// Appends a message to the outbox. After a hang-up, the message is discarded.
    private func put(_ message: [UInt8]) {
        if !channel.state.hasHungUp { channel.outbox.append(message) }
    }
}
