import Control
import Glibc
import Logging
import RecordKeeping
import Varlink

/// A connected client.
///
/// ``ClientConnectionState`` decides on the actions, and `perform` performs them. Accessed only on the engine's queue.
final class ControlPeer {
    let id: PeerID
    let user: uid_t
    let isAdministrator: Bool
    private let service: ServiceInterface
    /// The owner, which retains the peer until it is closed.
    let server: ControlServer

    var channel: ClientChannel
    /// The bytes that were last reported to the server as held for this client.
    private(set) var heldBytes = 0

    typealias State = ClientChannel.State

    init(
        id: PeerID, socket: PolledSocket, user: uid_t, isAdministrator: Bool, service: ServiceInterface,
        server: ControlServer
    ) {
        self.id = id
        channel = ClientChannel(socket)
        self.user = user
        self.isAdministrator = isAdministrator
        self.service = service
        self.server = server
    }

    /// Begins to read calls. The poller retains the peer until it is closed.
    ///
    /// - Returns: false if the socket cannot be watched.
    func begin() -> Bool {
        channel.socket.begin { [self] in become($0) }
    }

    // MARK: Events

    /// Handles the readiness of the socket, or a hang-up.
    func become(_ readiness: Poller.Readiness) {
        perform(readiness.hasHungUp ? channel.state.hungUp() : channel.state.ready(canRead: readiness.canRead))
    }

    /// Sends the client its pending replies, then closes the connection. Later calls are not read.
    func dismiss() {
        perform(channel.state.dismissed(buffers))
    }

    func close() {
        perform(channel.state.close(.dropped))
    }

    // MARK: Actions

    /// Performs actions until there are none.
    func perform(_ first: State.Action) {
        if case .none = first { return }
        let hadSentFirstCall = channel.state.hasSentFirstCall
        var action = first
        var moment: Instant?
        performing: while true {
            let (next, request) = channel.advance(action, at: &moment, with: &server.freshReader, on: server)
            action = next
            switch action {
            case .none: break performing
            // Performed by `advance`.
            case .read, .send, .watch: continue
            case .handleCall:
                moment = nil
                action = request.map(handleDecoded) ?? handleCall()
            case .awaitTurn:
                server.inTurn(of: user) { [self] in perform(channel.state.admitted(buffers)) }
                action = .send
            case .followUp(let next):
                followUp(next)
                break performing
            case .hangUp(let abandonsQuery):
                hangUp(abandonsQuery: abandonsQuery)
                action = channel.state.readRest(buffers)
            case .hangUpLater:
                channel.outbox = Outbox()
                server.later { [self] in perform(channel.state.hungUp()) }
                break performing
            case .close(let reason):
                disconnect(reason)
                break performing
            }
        }
        reportHeldBytes()
        if !hadSentFirstCall, channel.state.hasSentFirstCall { server.drainIfAllSpoke() }
    }

    private var buffers: State.Buffers { channel.buffers(server.freshReader.bytes) }

    private func followUp(_ next: State.FollowUp) {
        switch next {
        case .wait: break
        case .scheduleTurn: server.later { [self] in perform(channel.state.turnCame(buffers)) }
        case .continueRequest(let work): work()
        case .readLater: server.later { [self] in perform(channel.state.readRest(buffers)) }
        }
    }

    /// Handles a call that the fast path has decoded.
    private func handleDecoded(_ body: Request.Body) -> State.Action {
        channel.keepReplies(of: &server.freshReader)
        return channel.state.handled(handle(body), buffers)
    }

    private func handleCall() -> State.Action {
        do throws(ConversationError) {
            guard let call = try channel.conversation.next() else { return channel.state.handledAll() }
            channel.keepReplies(of: &server.freshReader)
            let addresses = handle(call)
            return channel.state.handled(addresses, buffers)
        } catch {
            return channel.state.close(.invalidMessage(error))
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
                return handle(try Request.Body(call))
            default:
                throw .service(.interfaceNotFound(String(call.interface)))
            }
        } catch {
            finish(OutgoingReply.error(error))
        }
        return 0
    }

    /// Passes a request to the engine, unless its client is no longer there for the reply.
    ///
    /// - Returns: the cost of the request in addresses.
    private func handle(_ body: Request.Body) -> Int {
        let count = body.addressCount
        guard !channel.state.hasHungUp || !body.isQuery else {
            finish([])
            return count
        }
        let request = Request(
            id: Request.ID(peer: id, number: channel.state.began(body)), isByAdministrator: isAdministrator,
            user: user, body: body)
        server.handle(request, isLarge: count > ControlLimits.addressesPerTurn)
        return count
    }

    private func hangUp(abandonsQuery: Bool) {
        channel.socket.hangUp()
        channel.outbox = Outbox()
        guard abandonsQuery else { return }
        _ = channel.conversation.finished([])
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
            _ = channel.send(&server.freshReader)
        }
        // Scheduled work may retain the peer for a while, but its bytes are no longer counted.
        channel.clear()
        server.close(channel.socket.release(), of: user)
        reportHeldBytes()
        server.left(id)
    }

    private func reportHeldBytes() {
        let before = heldBytes
        heldBytes = channel.heldBytes
        if heldBytes != before { server.changeHeld(by: heldBytes - before) }
    }
}
