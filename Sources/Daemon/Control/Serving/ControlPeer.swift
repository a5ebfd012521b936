import Control
import Glibc
import Logging
import RecordKeeping
import Varlink

/// A connected client: its connection, its current call and its unread replies.
///
/// Accessed only on the engine's queue.
final class ControlPeer {
    let id: PeerID
    var socket: PolledSocket
    let user: uid_t
    let isAdministrator: Bool
    private let service: ServiceInterface
    /// The owner, which retains the peer until it is closed.
    let server: ControlServer

    var conversation = ControlPeer.emptyConversation
    var outbox = Outbox()
    /// The bytes that the server counts for this client: unhandled calls, the current request and unsent replies.
    private(set) var heldBytes = 0
    private var requests: UInt64 = 0
    /// The request whose last reply has not been sent; nil if there is none.
    var current: (number: UInt64, body: Request.Body)?
    /// Whether part of the only reply to the request is in the outbox or has been sent.
    var hasSentPortion = false
    /// Continues the request once the client has read enough of its replies; nil if nothing waits for that.
    var goOn: (() -> Void)?
    /// Whether the conversation may contain complete calls that have not been handled.
    var hasCallsWaiting = false
    var isProcessing = false
    private var largeMessage = LargeMessage.none
    /// Whether the server still holds replies from the fast path to this client.
    var hasReplies = false
    private var isProcessScheduled = false
    private var hasEnded = false
    /// Whether the client has sent data or its connection has ended. A large message counts when its turn comes.
    private(set) var hasSentFirstCall = false
    /// Whether to close the connection once the pending replies are sent.
    private var isDismissed = false
    var isClosed = false

    private static var emptyConversation: ServerConversation {
        ServerConversation(limitBytes: ControlLimits.messageBytes, maxValues: ControlLimits.valuesPerMessage)
    }

    /// The state of a client's large messages, of which one is processed per turn.
    private enum LargeMessage {
        /// No large message is waiting; the next large message has to wait for its turn.
        case none
        /// A large message is waiting for its turn, and no more bytes are read meanwhile.
        case waiting
        /// The turn of the large message has come.
        case admitted
    }

    init(
        id: PeerID, socket: PolledSocket, user: uid_t, isAdministrator: Bool, service: ServiceInterface,
        server: ControlServer
    ) {
        self.id = id
        self.socket = socket
        self.user = user
        self.isAdministrator = isAdministrator
        self.service = service
        self.server = server
    }

    var isListener: Bool { current?.body.isListening == true }

    /// Whether the last reply to the request has not been sent and its client is still connected.
    func isWaiting(for number: UInt64) -> Bool { number == current?.number && !isClosed }

    // MARK: Receiving

    /// Handles the readiness of the socket, or a hang-up.
    func become(_ readiness: Poller.Readiness) {
        if readiness.hasHungUp { return hangUp() }
        if socket.isReading, readiness.canRead { read() } else { flush() }
    }

    /// Handles a hang-up. Changes that the client requested before are still made; queries are abandoned.
    private func hangUp() {
        guard !socket.hasHungUp, !isClosed else { return }
        socket.hangUp()
        outbox = Outbox()
        goOn = nil
        if current?.body.isQuestion == true {
            current = nil
            _ = conversation.finished([])
            // The engine abandons the query if it has begun it.
            server.post(.clientLeft(id))
        }
        read()
    }

    /// Receives bytes, and processes the calls that they complete.
    ///
    /// - Parameter isLast: whether to continue after a short read, because no later read follows.
    private func read(isLast: Bool = false) {
        guard socket.isReading else { return }
        let isLast = isLast || socket.hasHungUp
        var room = ControlLimits.bytesPerTurn
        while room > 0, !hasEnded, !isClosed {
            let count = server.read(socket.connection) { conversation.receive($0) }
            let reason = errno
            guard count != Connection.hasDescriptors else {
                server.logRateLimited(.warning, "disconnected a client of user \(user): it passed file descriptors")
                return close()
            }
            if count > 0 {
                room -= count
                if count < ControlServer.pieceBytes, !isLast { break }
            } else if count == 0 {
                hasEnded = true
            } else if reason == EAGAIN, !socket.hasHungUp {
                break
            } else if reason != EINTR {
                // The connection is broken, for example because the client closed it with unread replies (ECONNRESET).
                hasEnded = true
            }
        }
        if room <= 0, socket.hasHungUp { server.later { self.read() } }
        process()
        noteFirstCall()
    }

    private func noteFirstCall() {
        guard !hasSentFirstCall, largeMessage != .waiting else { return }
        hasSentFirstCall = true
        server.spoke()
    }

    /// Returns whether the next message is large and has to wait for its turn. Schedules that turn if necessary.
    private func waitsForTurn() -> Bool {
        guard largeMessage != .admitted, !isDismissed, !server.isDismissing,
            let bytes = conversation.nextMessageBytes, bytes > ControlLimits.bytesPerSmallMessage
        else { return false }
        guard largeMessage == .none else { return true }
        largeMessage = .waiting
        server.inTurn(of: user) { [self] in
            largeMessage = .admitted
            process()
            noteFirstCall()
        }
        return true
    }

    /// Handles calls until one has to wait for its reply, or the limits of a turn are reached.
    private func process() {
        guard !isClosed, !isProcessing else { return }
        isProcessing = true
        hasCallsWaiting = false
        do throws(ConversationError) {
            var moment: Instant?
            // The addresses left in this turn. Each call counts as at least `addressesPerCall`.
            var room = isDismissed ? Int.max : ControlLimits.addressesPerTurn
            while !isClosed {
                // A client that does not read its replies gets no more replies for now. The limit keeps turns short.
                guard unsentBytes <= ControlLimits.unreadBytes, room > 0 else {
                    hasCallsWaiting = conversation.bufferedBytes > 0
                    break
                }
                if waitsForTurn() { break }
                largeMessage = .none
                if !socket.hasHungUp, conversation.skip({ server.readFresh($0, at: &moment) { sendSome($0) } }) {
                    hasReplies = true
                    room -= max(ControlLimits.addressesPerCall, server.freshReader.addressCount)
                    continue
                }
                moment = nil
                guard let call = try conversation.next() else { break }
                room -= max(ControlLimits.addressesPerCall, handle(call))
            }
        } catch {
            server.log.debug("disconnected a client: \(error)")
            // Earlier replies are still sent, as far as the socket accepts them.
            keepReplies()
            outbox.write(to: socket.descriptor)
            close()
        }
        isProcessing = false
        if isClosed { conversation = Self.emptyConversation }
        flush()
    }

    private func reportHeldBytes() {
        let before = heldBytes
        heldBytes = isClosed ? 0 : conversation.bufferedBytes + (current?.body.heldBytes ?? 0) + outbox.reservedBytes
        if heldBytes != before { server.changeHeld(by: heldBytes - before) }
    }

    /// - Returns: the cost of the call in addresses; 0 if the call does not reach the engine.
    private func handle(_ call: IncomingCall) -> Int {
        do throws(ControlError) {
            guard !call.wantsUpgrade else { throw .service(.invalidParameter("upgrade")) }
            switch call.interface {
            case ServiceInterface.name[...]:
                finish(try service.reply(to: call))
            case Interface.name[...]:
                let body = try Request.Body(call)
                let count = body.addressCount
                guard !socket.hasHungUp || !body.isQuestion else {
                    finish([])
                    return count
                }
                requests += 1
                current = (requests, body)
                let request = Request(
                    id: Request.ID(peer: id, number: requests), isByAdministrator: isAdministrator, body: body)
                server.handle(request, isLarge: count > ControlLimits.addressesPerTurn)
                return count
            default:
                throw .service(.interfaceNotFound(String(call.interface)))
            }
        } catch {
            finish(OutgoingReply.error(error))
        }
        return 0
    }

    // MARK: Sending

    /// Sends what the socket accepts, then continues, closes or watches the connection, as its state requires.
    func flush() {
        defer { reportHeldBytes() }
        guard !isClosed, !isProcessing else { return }
        guard socket.hasHungUp || send() else {
            // Deferred, because `hangUp` processes calls, and the caller may be handling one.
            server.later { self.hangUp() }
            outbox = Outbox()
            return
        }
        // A listener that is dismissed gets no further page of kept events.
        if let goOn, !isDismissed || !isListener, outbox.bytes <= ControlLimits.pageBytes {
            self.goOn = nil
            goOn()
        }
        if isDismissed {
            // A request that waits for the disk is still answered. A listener has been sent its last events.
            let isAwaited = current != nil && !isListener
            guard outbox.bytes > 0 || isAwaited || hasCallsWaiting else { return close() }
            if hasCallsWaiting, outbox.bytes <= ControlLimits.unreadBytes { processLater() }
            socket.setWriting(outbox.bytes > 0)
            return
        }
        if hasCallsWaiting, outbox.bytes <= ControlLimits.unreadBytes {
            processLater()
        } else if largeMessage != .waiting, hasEnded, outbox.bytes == 0, current == nil || isListener {
            // A client that has stopped sending still gets its replies; a listener that has stopped sending is closed.
            close()
            return
        }
        socket.setWriting(outbox.bytes > 0)
        let isBehind = hasCallsWaiting && conversation.bufferedBytes > ControlLimits.bytesPerTurn
        let isFull = conversation.isFull || largeMessage == .waiting
        setReading(!hasEnded && !isFull && !isBehind && outbox.bytes <= ControlLimits.unreadBytes)
    }

    /// Handles the next call and sends replies in a later turn, outside the event that is being handled.
    func processLater() {
        guard !isProcessScheduled else { return }
        isProcessScheduled = true
        server.later {
            self.isProcessScheduled = false
            self.process()
        }
    }

    private func setReading(_ wanted: Bool) {
        if wanted, !socket.isReading, socket.hasHungUp { server.later { self.read() } }
        socket.setReading(wanted)
    }

    /// Sends the client its pending replies, then closes the connection. Later calls are not read.
    func dismiss() {
        // Calls that have arrived are still answered, if only with the error that the daemon is stopping.
        read(isLast: true)
        guard !isClosed else { return }
        isDismissed = true
        process()
        guard !isClosed else { return }
        setReading(false)
        flush()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        keepReplies()
        // Scheduled work may retain the peer for a while, but its bytes are no longer counted.
        outbox = Outbox()
        // While calls are processed, the conversation is in use.
        if !isProcessing { conversation = Self.emptyConversation }
        server.close(socket.release(), of: user)
        reportHeldBytes()
        server.left(id)
    }
}
