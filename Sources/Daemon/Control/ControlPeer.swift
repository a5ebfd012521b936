import Control
import Glibc
import Logging
import RecordKeeping
import Varlink

/// One client: its connection, the call that it waits for, and what it has not read yet.
///
/// Belongs to the queue that it is made with, which is the engine's.
final class ControlPeer {
    let id: PeerID
    var socket: PolledSocket
    let user: uid_t
    let isAdministrator: Bool
    private let service: ServiceInterface
    /// Which holds the peer until it is closed.
    let server: ControlServer

    var conversation = ControlPeer.emptyConversation
    var outbox = Outbox()
    /// What it has sent and was not taken, and what it was answered and has not read, as the server knows it.
    private(set) var heldBytes = 0
    private var requests: UInt64 = 0
    /// The request that has not had its last answer; nil while none is with the engine.
    var current: (number: UInt64, body: Request.Body)?
    /// Part of the one reply to the request is in the outbox or sent.
    var hasSentPortion = false
    /// Goes on with the request, once the client has read more of what it was sent; nil while nothing waits for that.
    var goOn: (() -> Void)?
    /// Whole calls may have come that were not taken yet.
    var hasCallsWaiting = false
    var isProcessing = false
    private var largeMessage = LargeMessage.none
    /// What was answered at a glance is with the server still.
    var hasReplies = false
    private var isProcessScheduled = false
    private var hasEnded = false
    /// It has sent something, or has ended.
    private(set) var hasSpoken = false
    /// It is let go once it has been sent what is in the outbox.
    private var isDismissed = false
    var isClosed = false

    private static var emptyConversation: ServerConversation {
        ServerConversation(limitBytes: ControlLimits.messageBytes, maxValues: ControlLimits.valuesPerMessage)
    }

    /// The state of a client's large messages, of which one is processed per turn.
    private enum LargeMessage {
        /// No large message is waiting; the next one has to wait for its turn.
        case none
        /// A large message is waiting for its turn, and nothing more is read meanwhile.
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

    /// Whether the request has not had its last reply and its client is still connected.
    func isWaiting(for number: UInt64) -> Bool { number == current?.number && !isClosed }

    // MARK: In

    /// Something can be read or sent, or the other end has gone.
    func become(_ readiness: Poller.Readiness) {
        if readiness.hasHungUp { return hangUp() }
        if socket.isReading, readiness.canRead { read() } else { flush() }
    }

    /// Nobody is there any more. What it asked for before is done all the same, and nobody is told of it.
    private func hangUp() {
        guard !socket.hasHungUp, !isClosed else { return }
        socket.hangUp()
        outbox = Outbox()
        goOn = nil
        if current?.body.isQuestion == true {
            current = nil
            _ = conversation.finished([])
            // Behind the question, should that wait for its turn.
            server.post(.clientLeft(id))
        }
        read()
    }

    /// Takes what is there.
    ///
    /// - Parameter isLast: all of it, for nobody comes back for more.
    private func read(isLast: Bool = false) {
        guard socket.isReading else { return }
        let isLast = isLast || socket.hasHungUp
        var room = ControlLimits.bytesPerTurn
        while room > 0, !hasEnded, !isClosed {
            let count = server.read(socket.connection) { conversation.receive($0) }
            let reason = errno
            guard count != Connection.hasDescriptors else {
                // No method takes a descriptor.
                server.complain(.warning, "a client of user \(user) is dropped: it passed file descriptors")
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
                // It has gone, and may have left answers unread.
                hasEnded = true
            }
        }
        if room <= 0, socket.hasHungUp { server.later { self.read() } }
        process()
        noteFirstCall()
    }

    private func noteFirstCall() {
        guard !hasSpoken, largeMessage != .waiting else { return }
        hasSpoken = true
        server.spoke()
    }

    /// - Returns: whether the next message is large and has to wait for its turn.
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

    /// Hands out calls, until one has to wait for its answer.
    private func process() {
        guard !isClosed, !isProcessing else { return }
        isProcessing = true
        hasCallsWaiting = false
        do throws(ConversationError) {
            var moment: Instant?
            // In addresses; a call takes a share of it however few it names.
            var room = isDismissed ? Int.max : ControlLimits.addressesPerTurn
            while !isClosed {
                // Who does not read what was answered gets no more answers for now, and nobody holds up the others.
                guard unsentBytes <= ControlLimits.unreadBytes, room > 0 else {
                    hasCallsWaiting = conversation.bufferedBytes > 0
                    break
                }
                if waitsForTurn() { break }
                largeMessage = .none
                if !socket.hasHungUp, conversation.skip({ server.glance($0, at: &moment) { sendSome($0) } }) {
                    hasReplies = true
                    room -= max(ControlLimits.addressesPerCall, server.glances.addressCount)
                    continue
                }
                moment = nil
                guard let call = try conversation.next() else { break }
                room -= max(ControlLimits.addressesPerCall, take(call))
            }
        } catch {
            server.log.debug("a client is dropped: \(error)")
            // What was answered before goes out still, if the socket takes it.
            keepReplies()
            outbox.write(to: socket.descriptor)
            close()
        }
        isProcessing = false
        if isClosed { conversation = Self.emptyConversation }
        flush()
    }

    private func tellHeld() {
        let before = heldBytes
        heldBytes = isClosed ? 0 : conversation.bufferedBytes + (current?.body.heldBytes ?? 0) + outbox.reservedBytes
        if heldBytes != before { server.changeHeld(by: heldBytes - before) }
    }

    /// - Returns: how many addresses it names.
    private func take(_ call: IncomingCall) -> Int {
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

    func flush() {
        defer { tellHeld() }
        guard !isClosed, !isProcessing else { return }
        guard socket.hasHungUp || send() else {
            // Not from here: calls are taken out of this one.
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
            // What the disk is being asked for still is answered, too; a listener has heard what there was.
            let isAwaited = current != nil && !isListener
            guard outbox.bytes > 0 || isAwaited || hasCallsWaiting else { return close() }
            if hasCallsWaiting, outbox.bytes <= ControlLimits.unreadBytes { processLater() }
            socket.setWriting(outbox.bytes > 0)
            return
        }
        if hasCallsWaiting, outbox.bytes <= ControlLimits.unreadBytes {
            processLater()
        } else if largeMessage != .waiting, hasEnded, outbox.bytes == 0, current == nil || isListener {
            // Who has stopped sending gets what it asked for; a listener that does so has gone.
            close()
            return
        }
        socket.setWriting(outbox.bytes > 0)
        let isBehind = hasCallsWaiting && conversation.bufferedBytes > ControlLimits.bytesPerTurn
        let isFull = conversation.isFull || largeMessage == .waiting
        setReading(!hasEnded && !isFull && !isBehind && outbox.bytes <= ControlLimits.unreadBytes)
    }

    /// The next call is taken, and what there is to send is sent, outside of the event that brought it about.
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

    /// Sends what it was answered, and lets it go. What it asks from now on is not heard.
    func dismiss() {
        // What has come is answered still, if only by saying that the daemon ends.
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
        // Postponed work may retain the peer for a while, and its bytes do not count any more.
        outbox = Outbox()
        // While calls are processed, the conversation is in use.
        if !isProcessing { conversation = Self.emptyConversation }
        server.close(socket.release(), of: user)
        tellHeld()
        server.left(id)
    }
}
