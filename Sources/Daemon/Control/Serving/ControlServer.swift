import CLinux
import Confinement
import Control
import Dispatch
import Glibc
import Logging
import RecordKeeping
import Varlink

/// The server of the control socket, with all connected clients.
///
/// Accessed only on the engine's queue, on which ready sockets are handled and the engine's replies are sent. The
/// handlers of its sockets retain the server until `end`: a weak reference would make each of the many strong
/// references several times slower.
final class ControlServer {
    let log: Logger
    let engine: Engine
    private let adminGroup: gid_t?
    private let service: ServiceInterface
    /// Completes the core's status with the daemon's own data, such as its version and database.
    let state: StateReplies

    private let poller: Poller
    /// The receive buffer, which all connections share.
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    /// The acceptor of connections; nil until `begin`.
    private var acceptor: ConnectionAcceptor?
    private let makeAcceptor: (ControlServer) -> ConnectionAcceptor
    private let closer: ConnectionCloser
    var peers: [PeerID: ControlPeer] = [:]
    private var limiter: ConnectionLimiter
    private var lastPeer: UInt64 = 0
    /// The fast path, with its replies to the client that is being served.
    var freshReader: FreshReader
    /// Pieces of long-running work, each queued for its user.
    var turns = FairQueue<() -> Void>()
    var isTurnScheduled = false
    /// Reads from the store that have not begun, each with its request.
    var readings = FairQueue<(Request.ID, (@escaping @Sendable (Event) -> Void) -> Void)>()
    /// Reads from the store that are in progress, or whose result has not been handled.
    var readingCount = 0
    /// Events that have not been sent to all of their recipients.
    var pendingEvents: PendingEvents
    /// Work that waits until no events are pending.
    var afterEvents: [() -> Void] = []
    /// Limits the rate of messages that clients can trigger: ten at once, then one a minute.
    private var logRateLimit = RateLimit(atOnce: 10, interval: .seconds(60))
    var clientChanges: ClientChangeLog
    /// Whether `dropLargestHolders` is scheduled.
    private var isDropping = false
    private var phase = ControlServerPhase<() -> Void>()

    /// Size of the receive buffer, in bytes.
    static let pieceBytes = 65_536

    /// - Parameters:
    ///   - poller: watches the clients' sockets.
    ///   - adminGroup: the group whose members are administrators; nil if there are none besides root and the daemon's
    ///     user.
    ///   - acceptConnection: accept4(2); returns -1 with errno.
    ///   - offline: returns the record that is added to an entry without a fresh record.
    init(
        engine: Engine, sockets: [ListeningSocket], poller: Poller, adminGroup: gid_t?,
        limiter: ConnectionLimiter = ConnectionLimiter(),
        closer: ConnectionCloser = ConnectionCloser(),
        acceptConnection: @escaping (Int32) -> Int32 = clinux_accept, log: Logger,
        state: StateReplies, offline: @escaping OfflineLookup = { _ in nil }
    ) {
        self.engine = engine
        freshReader = FreshReader(offline: offline)
        pendingEvents = PendingEvents(offline: offline)
        self.poller = poller
        self.adminGroup = adminGroup
        self.limiter = limiter
        self.closer = closer
        self.log = log
        clientChanges = ClientChangeLog(log)
        self.state = state
        service = ServiceInterface(
            vendor: Version.vendor, product: Version.product, version: Version.text, url: Version.url,
            descriptions: [Interface.name: Interface.text])
        makeAcceptor = { server in
            ConnectionAcceptor(
                sockets: sockets, queue: engine.executor.queue, closer: closer, acceptConnection: acceptConnection,
                logRateLimited: { server.logRateLimited(.warning, $0) }, admit: { server.admit($0) })
        }
    }

    /// Starts accepting connections.
    func begin() {
        guard phase.begin() else { return }
        acceptor = makeAcceptor(self)
        acceptor?.begin()
    }

    /// Stops accepting connections. A later client waits for the next instance if the service manager keeps the socket;
    /// otherwise its connect(2) fails.
    ///
    /// - Parameter done: called when every connected client has sent data or disconnected, at the latest after
    ///   `ControlLimits.firstCall`. It is not called if accepting had already stopped.
    func stopAccepting(_ done: @escaping @Sendable () -> Void) {
        guard phase.stopAccepting(done) else { return }
        acceptor?.end()
        drainIfAllSpoke()
        queue.later(after: ControlLimits.firstCall) { [self] in phase.drain()?() }
    }

    /// Ends the phase of draining when every client has sent data or disconnected.
    func drainIfAllSpoke() {
        guard case .draining = phase, peers.values.allSatisfy({ $0.channel.state.hasSentFirstCall }) else { return }
        phase.drain()?()
    }

    /// Closes each connection once its pending replies are sent.
    ///
    /// - Parameter done: called when all clients are disconnected, at the latest after `ControlLimits.farewell`.
    func dismissAll(_ done: @escaping @Sendable () -> Void) {
        guard phase.dismiss(done) else { return }
        acceptor?.end()
        publishAll()
        for peer in Array(peers.values) { peer.dismiss() }
        guard !peers.isEmpty else {
            phase.lastClientLeft()?()
            return
        }
        queue.later(after: ControlLimits.farewell) { [self] in closeAll() }
    }

    /// Stops accepting connections, and closes all existing ones. Unsent replies are lost.
    func end() {
        acceptor?.end()
        closeAll()
        if phase.end() { poller.end() }
    }

    private func closeAll() {
        for peer in Array(peers.values) { peer.close() }
    }

    private var queue: DispatchQueue { engine.executor.queue }

    deinit {
        piece.deallocate()
    }

    // MARK: Clients

    private func admit(_ connection: Connection) {
        guard let credentials = PeerCredentials(of: connection.descriptor) else { return connection.close(by: closer) }
        let isAdministrator = credentials.isAdministrator(group: adminGroup)
        do throws(ConnectionLimiter.Refusal) {
            try limiter.admit(credentials.user, isAdministrator: isAdministrator)
        } catch {
            logRateLimited(.warning, "refused a client: \(error)")
            connection.close(by: closer)
            return
        }
        lastPeer += 1
        let id = PeerID(number: lastPeer)
        let peer = ControlPeer(
            id: id, socket: PolledSocket(connection, at: poller), user: credentials.user,
            isAdministrator: isAdministrator, service: service, server: self)
        guard peer.begin() else {
            logRateLimited(
                .warning, "refused a client: cannot monitor its connection: \(String(cString: strerror(errno)))")
            close(connection, of: credentials.user)
            return
        }
        peers[id] = peer
    }

    /// Closes a connection that was admitted. It counts towards its user's limits until it is closed.
    func close(_ connection: Connection, of user: uid_t) {
        let (queue, isBlocking) = (queue, connection.mayPassDescriptors)
        let server = QueueConfined(self, onQueue: queue)
        connection.close(by: closer) {
            // A connection that cannot pass descriptors is closed synchronously.
            if isBlocking { queue.async { server.value.limiter.leave(user) } } else { server.value.limiter.leave(user) }
        }
    }

    /// Logs a message that clients can trigger at will, at a limited rate.
    func logRateLimited(_ level: Logger.Level, _ message: String) {
        if logRateLimit.spend(at: SystemClock.now.boot) { log.log(level: level, "\(message)") }
    }

    /// Adds `bytes`, which may be negative, to the number of bytes buffered for all clients. Above the limit, clients
    /// are disconnected.
    func changeHeld(by bytes: Int) {
        limiter.changeHeld(by: bytes)
        guard limiter.holdsTooMuch, !isDropping else { return }
        isDropping = true
        // Deferred, because the client to drop may be the one that is being served. The work runs after the poller's
        // current turn.
        queue.later { [self] in dropLargestHolders() }
    }

    /// Disconnects clients, administrators last, until the buffered bytes are within the limit.
    private func dropLargestHolders() {
        while limiter.holdsTooMuch,
            let greatest = greatest(of: peers.values.filter { !$0.isAdministrator })
                ?? greatest(of: Array(peers.values))
        {
            logRateLimited(
                .warning,
                "disconnected a client of user \(greatest.user): "
                    + "it used \(greatest.heldBytes) of \(limiter.heldBytes) buffered bytes"
            )
            greatest.close()
        }
        isDropping = false
    }

    /// Returns the connection with the most buffered bytes, among those of the user with the most in total, so that
    /// many connections of one user do not cause other users' connections to be closed.
    ///
    /// - Returns: nil if no peer has buffered bytes.
    private func greatest(of peers: [ControlPeer]) -> ControlPeer? {
        let byUser = Dictionary(grouping: peers, by: \.user)
        func held(by peers: [ControlPeer]) -> Int { peers.reduce(0) { $0 + $1.heldBytes } }
        let maximum = byUser.values.max { held(by: $0) < held(by: $1) }
        return maximum?.filter { $0.heldBytes > 0 }.max { $0.heldBytes < $1.heldBytes }
    }

    /// Removes a closed peer. Does nothing if it has already been removed.
    func left(_ id: PeerID) {
        guard peers.removeValue(forKey: id) != nil else { return }
        drainIfAllSpoke()
        if peers.isEmpty { phase.lastClientLeft()?() }
        // Posted, because the client may be dropped while the engine performs effects.
        engine.post(.clientLeft(id))
    }

    /// Receives from a connection as `Connection.receive` does, and passes the bytes to `handle`, which must not keep
    /// the buffer.
    func read(_ connection: Connection, _ handle: (UnsafeRawBufferPointer) -> Void) -> Int {
        let count = connection.receive(into: piece)
        if count > 0 { handle(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
        return count
    }

    /// Passes a request to the engine.
    ///
    /// - Parameter isLarge: whether to handle the request in an event of its own, so that other clients are served in
    ///   between. Ignored while clients are being disconnected, because each client is then disconnected as soon as it
    ///   has its reply.
    func handle(_ request: Request, isLarge: Bool) {
        clientChanges.note(request)
        if !isLarge || phase.isDismissing {
            engine.handleNow(.requested(request))
        } else if request.body.isQuery {
            handleInTurn(request)
        } else {
            // Changes keep the order in which they arrived, even during shutdown.
            engine.post(.requested(request))
        }
    }

    /// Runs the work after the sockets that are ready now have been served; never after `end`.
    func later(_ work: @escaping () -> Void) {
        poller.later(work)
    }
}
