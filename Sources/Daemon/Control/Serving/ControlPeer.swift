import Control
import Glibc
import Logging
import RecordKeeping
import Varlink

/// A connected client: its socket, its conversation and its unread replies.
///
/// ``ClientConnectionState`` decides on the actions, and `perform` performs them. Accessed only on the engine's queue.
final class ControlPeer {
    let id: PeerID
    private(set) var socket: PolledSocket
    let user: uid_t
    let isAdministrator: Bool
    private let service: ServiceInterface
    /// The owner, which retains the peer until it is closed.
    let server: ControlServer

    var state = State()
    var conversation = ControlPeer.emptyConversation
    var outbox = Outbox()
    /// The bytes that the server counts for this client: unhandled calls, the current request and unsent replies.
    private(set) var heldBytes = 0

    typealias State = ClientConnectionState<() -> Void>

    private static var emptyConversation: ServerConversation {
        ServerConversation(limitBytes: ControlLimits.messageBytes, maxValues: ControlLimits.valuesPerMessage)
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

    // MARK: Events

    /// Handles the readiness of the socket, or a hang-up.
    func become(_ readiness: Poller.Readiness) {
        perform(readiness.hasHungUp ? state.hungUp() : state.ready(canRead: readiness.canRead))
    }

    /// Sends the client its pending replies, then closes the connection. Later calls are not read.
    func dismiss() {
        perform(state.dismissed(buffers))
    }

    func close() {
        perform(state.close(.dropped))
    }

    // MARK: Actions

    /// Performs actions until there are none.
    func perform(_ first: State.Action) {
        if case .none = first { return }
        let hadSentFirstCall = state.hasSentFirstCall
        var action = first
        // The time that successive calls on the fast path share.
        var moment: Instant?
        performing: while true {
            switch action {
            case .none: break performing
            case .read(let isLast):
                let outcome = read(isLast: isLast)
                action = state.received(outcome, buffers)
            case .handleCall: action = handleCall(at: &moment)
            case .awaitTurn:
                server.inTurn(of: user) { [self] in perform(state.admitted(buffers)) }
                action = .send
            case .send:
                let isConnected = state.hasHungUp || send()
                action = state.sent(isConnected: isConnected, buffers)
            case .watch(let interest, let next):
                socket.watch(interest)
                action = .followUp(next)
            case .followUp(let next):
                action = .none
                followUp(next)
            case .hangUp(let abandonsQuery):
                hangUp(abandonsQuery: abandonsQuery)
                action = state.readRest(buffers)
            case .hangUpLater:
                outbox = Outbox()
                server.later { [self] in perform(state.hungUp()) }
                action = .none
            case .close(let reason):
                disconnect(reason)
                action = .none
            }
        }
        reportHeldBytes()
        if !hadSentFirstCall, state.hasSentFirstCall { server.drainIfAllSpoke() }
    }

    private var buffers: State.Buffers {
        State.Buffers(unsent: outbox.bytes + server.freshReader.bytes, backlog: conversation.backlog)
    }

    private func followUp(_ next: State.FollowUp) {
        switch next {
        case .wait: break
        case .scheduleTurn: server.later { [self] in perform(state.turnCame(buffers)) }
        case .continueRequest(let work): work()
        case .readLater: server.later { [self] in perform(state.readRest(buffers)) }
        }
    }

    /// Receives bytes, at most `ControlLimits.bytesPerTurn`.
    ///
    /// - Parameter isLast: whether no later read follows, so that reading continues after a short read.
    private func read(isLast: Bool) -> State.ReadOutcome {
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

    private func handleCall(at moment: inout Instant?) -> State.Action {
        // Most turns end here, after the only call that has arrived.
        guard conversation.bufferedBytes > 0 else { return state.handledAll() }
        if !state.hasHungUp, conversation.skip({ server.readFresh($0, at: &moment) { sendSome($0) } }) {
            return state.handled(server.freshReader.addressCount, buffers)
        }
        moment = nil
        do throws(ConversationError) {
            guard let call = try conversation.next() else { return state.handledAll() }
            keepReplies()
            let addresses = handle(call)
            return state.handled(addresses, buffers)
        } catch {
            return state.close(.invalidMessage(error))
        }
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
                guard !state.hasHungUp || !body.isQuery else {
                    finish([])
                    return count
                }
                let request = Request(
                    id: Request.ID(peer: id, number: state.began(body)), isByAdministrator: isAdministrator, user: user,
                    body: body)
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

    private func hangUp(abandonsQuery: Bool) {
        socket.hangUp()
        outbox = Outbox()
        guard abandonsQuery else { return }
        _ = conversation.finished([])
        // The engine abandons the query if the query has begun.
        server.engine.post(.clientLeft(id))
    }

    private func disconnect(_ reason: State.CloseReason) {
        switch reason {
        case .finished, .dropped: break
        case .passedDescriptors:
            server.logRateLimited(.warning, "disconnected a client of user \(user): it passed file descriptors")
        case .slowListener(let unsent):
            server.logRateLimited(.notice, "disconnected a listener: it left \(unsent) bytes unread")
        case .invalidMessage(let error):
            server.log.debug("disconnected a client: \(error)")
            // Earlier replies are still sent, as far as the socket accepts them.
            _ = send()
        }
        // Scheduled work may retain the peer for a while, but its bytes are no longer counted.
        outbox = Outbox()
        conversation = Self.emptyConversation
        server.close(socket.release(), of: user)
        reportHeldBytes()
        server.left(id)
    }

    private func reportHeldBytes() {
        let before = heldBytes
        heldBytes = conversation.bufferedBytes + (state.request?.heldBytes ?? 0) + outbox.reservedBytes
        if heldBytes != before { server.changeHeld(by: heldBytes - before) }
    }
}
