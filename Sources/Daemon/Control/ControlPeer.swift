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
    private var socket: PolledSocket
    let user: uid_t
    let isAdministrator: Bool
    private let service: ServiceInterface
    /// Which holds the peer until it is closed.
    private let server: ControlServer

    private var conversation = ServerConversation(limitBytes: ControlLimits.messageBytes)
    private var outbox = Outbox()
    /// What it has sent and was not taken, and what it was answered and has not read, as the server knows it.
    private(set) var heldBytes = 0
    private var requests: UInt64 = 0
    /// The request that has not had its last answer; nil while none is with the engine.
    private var current: (number: UInt64, body: Request.Body)?
    /// Goes on with the request, once the client has read more of what it was sent; nil while nothing waits for that.
    private var goOn: (() -> Void)?
    /// Whole calls may have come that were not taken yet.
    private var hasCallsWaiting = false
    private var isProcessing = false
    /// What was answered at a glance is with the server still.
    private var hasReplies = false
    private var isProcessScheduled = false
    private var hasEnded = false
    /// It has sent something, or has ended.
    private(set) var hasSpoken = false
    /// It is let go once it has been sent what is in the outbox.
    private var isDismissed = false
    private var isClosed = false

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
            let count = server.read(socket.descriptor) { conversation.receive($0) }
            if count > 0 {
                room -= count
                if count < ControlServer.pieceBytes, !isLast { break }
            } else if count == 0 {
                hasEnded = true
            } else if errno == EAGAIN, !socket.hasHungUp {
                break
            } else if errno != EINTR {
                // It has gone, and may have left answers unread.
                hasEnded = true
            }
        }
        if room <= 0, socket.hasHungUp { server.later { self.read() } }
        process()
        if !hasSpoken {
            hasSpoken = true
            server.spoke()
        }
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
        flush()
    }

    private func tellHeld() {
        let held = isClosed ? 0 : conversation.bufferedBytes + (current?.body.heldBytes ?? 0) + outbox.bytes
        guard held != heldBytes else { return }
        server.changeHeld(by: held - heldBytes)
        heldBytes = held
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
                server.handle(.requested(request), isLarge: count > ControlLimits.addressesPerTurn)
                return count
            default:
                throw .service(.interfaceNotFound(String(call.interface)))
            }
        } catch {
            finish(OutgoingReply.error(error))
        }
        return 0
    }

    // MARK: Out

    /// The last answer to a request.
    func answer(_ number: UInt64, _ message: [UInt8]) {
        guard number == current?.number else { return }
        current = nil
        if !isProcessing { hasCallsWaiting = true }
        finish(message)
    }

    private func put(_ message: [UInt8]) {
        keepReplies()
        if !socket.hasHungUp { outbox.append(message) }
    }

    private var unsentBytes: Int { outbox.bytes + (hasReplies ? server.glances.bytes : 0) }

    /// What was answered at a glance comes before what is put behind it.
    private func keepReplies() {
        guard hasReplies else { return }
        hasReplies = false
        server.glances.take { outbox.append($0) }
    }

    /// A part of a large reply: the client reads it while the rest is put down. That the connection is broken is found out at
    /// the end.
    private func sendSome(_ part: UnsafeBufferPointer<UInt8>) {
        _ = outbox.write(part, to: socket.descriptor)
    }

    /// - Returns: false where the connection is broken.
    private func send() -> Bool {
        guard hasReplies else { return outbox.write(to: socket.descriptor) }
        hasReplies = false
        var isWhole = true
        server.glances.take { isWhole = outbox.write($0, to: socket.descriptor) }
        return isWhole
    }

    /// One page of many: there is no more of them until this has been read.
    func answerPart(_ number: UInt64, _ message: [UInt8]) {
        guard number == current?.number, !isClosed else { return }
        put(conversation.continued(message))
        if !isProcessing { flush() }
    }

    /// - Parameter goOn: called at once, or when the client has read enough of what it was sent.
    func resume(_ number: UInt64, _ goOn: @escaping () -> Void) {
        guard number == current?.number, !isClosed else { return }
        guard outbox.bytes > ControlLimits.pageBytes else { return goOn() }
        self.goOn = goOn
    }

    /// One answer of many.
    func tell(_ number: UInt64, _ message: [UInt8]) {
        guard number == current?.number, !isClosed else { return }
        guard outbox.bytes <= ControlLimits.unreadBytes else {
            server.complain(.notice, "a listener is dropped: it left \(outbox.bytes) bytes unread")
            close()
            return
        }
        put(conversation.continued(message))
        // Events often come by the thousand: they are sent many at a time.
        if outbox.bytes > ControlLimits.bytesPerFlush { flush() } else { processLater() }
    }

    private func finish(_ message: [UInt8]) {
        put(conversation.finished(message))
        if !isProcessing { flush() }
    }

    private func flush() {
        defer { tellHeld() }
        guard !isClosed, !isProcessing else { return }
        guard socket.hasHungUp || send() else {
            // Not from here: calls are taken out of this one.
            server.later { self.hangUp() }
            outbox = Outbox()
            return
        }
        if isDismissed {
            // What the disk is being asked for still is answered, too; a listener has heard what there was.
            let isAwaited = current != nil && !isListener
            guard outbox.bytes > 0 || isAwaited || hasCallsWaiting else { return close() }
            if hasCallsWaiting, outbox.bytes <= ControlLimits.unreadBytes { processLater() }
            socket.setWriting(outbox.bytes > 0)
            return
        }
        if let goOn, outbox.bytes <= ControlLimits.pageBytes {
            self.goOn = nil
            goOn()
        }
        if hasCallsWaiting, outbox.bytes <= ControlLimits.unreadBytes {
            processLater()
        } else if hasEnded, outbox.bytes == 0, current == nil || isListener {
            // Who has stopped sending gets what it asked for; a listener that does so has gone.
            close()
            return
        }
        socket.setWriting(outbox.bytes > 0)
        let isBehind = hasCallsWaiting && conversation.bufferedBytes > ControlLimits.bytesPerTurn
        setReading(!hasEnded && !conversation.isFull && !isBehind && outbox.bytes <= ControlLimits.unreadBytes)
    }

    /// The next call is taken, and what there is to send is sent, outside of the event that brought it about.
    private func processLater() {
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
        // What is postponed may hold the peer for a while.
        outbox = Outbox()
        socket.close()
        tellHeld()
        server.left(id)
    }
}
