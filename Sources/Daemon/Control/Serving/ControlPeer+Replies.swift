import Glibc
import Logging
import RecordKeeping
import Varlink

/// Encoded replies to a client, and the order in which they are sent.
extension ControlPeer {
    /// Sends the last reply to a request.
    func answer(_ number: UInt64, _ message: [UInt8]) {
        guard number == current?.number else { return }
        current = nil
        hasSentPortion = false
        if !isProcessing { hasCallsWaiting = true }
        finish(message)
    }

    /// Appends a message to the outbox, behind replies of the fast path. After a hang-up, the message is discarded.
    func put(_ message: [UInt8]) {
        keepReplies()
        if !socket.hasHungUp { outbox.append(message) }
    }

    /// The bytes of unsent replies, including those of the fast path.
    var unsentBytes: Int { outbox.bytes + (hasReplies ? server.freshReader.bytes : 0) }

    /// Moves replies of the fast path into the outbox, before later ones are appended.
    func keepReplies() {
        guard hasReplies else { return }
        hasReplies = false
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
        guard hasReplies else { return outbox.write(to: socket.descriptor) }
        hasReplies = false
        var isWhole = true
        server.freshReader.flush { isWhole = outbox.write($0, to: socket.descriptor) }
        return isWhole
    }

    /// Sends one page of a reply with several pages. The next page is not made until the client has read this one.
    func answerPart(_ number: UInt64, _ message: [UInt8]) {
        guard number == current?.number, !isClosed else { return }
        put(conversation.continued(message))
        if !isProcessing { flush() }
    }

    /// Sends a portion of the only reply to a request. The next portion is not made until the client has read this one.
    func answerPortion(_ number: UInt64, _ bytes: [UInt8]) {
        guard number == current?.number, !isClosed else { return }
        hasSentPortion = true
        put(conversation.portion(bytes))
        if !isProcessing { flush() }
    }

    /// - Parameter goOn: called at once, or when at most `ControlLimits.pageBytes` of the replies are unread.
    func resume(_ number: UInt64, _ goOn: @escaping () -> Void) {
        guard number == current?.number, !isClosed else { return }
        guard outbox.bytes > ControlLimits.pageBytes else { return goOn() }
        self.goOn = goOn
    }

    /// Sends one event of a listener's reply. A listener with more than `ControlLimits.unreadBytes` unread is dropped.
    func publish(_ number: UInt64, _ message: [UInt8]) {
        guard number == current?.number, !isClosed else { return }
        guard outbox.bytes <= ControlLimits.unreadBytes else {
            server.logRateLimited(.notice, "disconnected a listener: it left \(outbox.bytes) bytes unread")
            close()
            return
        }
        put(conversation.continued(message))
        // Events often arrive by the thousand, so many are sent with one system call.
        if outbox.bytes > ControlLimits.bytesPerFlush { flush() } else { processLater() }
    }

    /// Sends the last reply to the current call of the conversation.
    func finish(_ message: [UInt8]) {
        put(conversation.finished(message))
        if !isProcessing { flush() }
    }
}
