import CLinux
import Control
import Dispatch
import Glibc
import Logging
import RecordKeeping
import Varlink

/// The control interface: everybody who is connected.
///
/// Belongs to the engine's queue: sockets fire on it, and the engine's answers are carried out on it. What watches its sockets
/// holds it, until `end`; a weak reference would make each of the many others to it several times as slow.
final class ControlServer {
    let log: Logger
    let engine: Engine
    private let adminGroup: gid_t?
    private let service: ServiceInterface
    /// Adds to the core's status what is the daemon's to know.
    let status: @Sendable (StatusView) -> Status.Reply

    private let poller: Poller
    /// Where what clients send comes first: each of them in its turn.
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    /// Nil before the beginning.
    private var acceptor: ConnectionAcceptor?
    private let makeAcceptor: (ControlServer) -> ConnectionAcceptor
    private let closer: ConnectionCloser
    var peers: [PeerID: ControlPeer] = [:]
    private var crowd: Crowd
    private var lastPeer: UInt64 = 0
    /// Replies to the peer that is being served.
    var glances = Glances()
    /// Pieces of work that wait for their turn.
    var turns = FairQueue<() -> Void>()
    var isTurnScheduled = false
    /// Readings from the store that wait for their turn.
    var readings = FairQueue<(Request.ID, (@escaping @Sendable (Event) -> Void) -> Void)>()
    /// Readings that are under way or have an unhandled result.
    var readingCount = 0
    /// Events that are sent to listeners in turns of their own.
    var pendingEvents = PendingEvents()
    /// Work that waits until no events are pending.
    var afterEvents: [() -> Void] = []
    private var complaints = Allowance(atOnce: 10, interval: .seconds(60))
    /// The client that holds most is to be dropped.
    private var isDropping = false
    /// Called once those who have connected have asked something; nil while that is not waited for.
    private var afterFirstCalls: (() -> Void)?
    /// Everybody is being let go.
    private(set) var isDismissing = false
    /// Called once nobody is connected any more; nil while that is not waited for.
    private var afterLast: (() -> Void)?

    /// So much is read at once.
    static let pieceBytes = 65_536

    /// - Parameters:
    ///   - poller: watches the clients' sockets.
    ///   - adminGroup: the group whose members may change things; nil for nobody but root and the daemon's user.
    ///   - acceptConnection: accept4(2); returns -1 with errno.
    init(
        engine: Engine, sockets: [ListeningSocket], poller: Poller, adminGroup: gid_t?, crowd: Crowd = Crowd(),
        closer: ConnectionCloser = ConnectionCloser(),
        acceptConnection: @escaping (Int32) -> Int32 = clinux_accept, log: Logger,
        status: @escaping @Sendable (StatusView) -> Status.Reply
    ) {
        self.engine = engine
        self.poller = poller
        self.adminGroup = adminGroup
        self.crowd = crowd
        self.closer = closer
        self.log = log
        self.status = status
        service = ServiceInterface(
            vendor: Version.vendor, product: Version.product, version: Version.text, url: Version.url,
            descriptions: [Interface.name: Interface.text])
        makeAcceptor = { server in
            ConnectionAcceptor(
                sockets: sockets, queue: engine.executor.queue, closer: closer, acceptConnection: acceptConnection,
                complain: { server.complain(.warning, $0) }, admit: { server.admit($0) })
        }
    }

    /// Takes connections from now on.
    func begin() {
        acceptor = makeAcceptor(self)
        acceptor?.begin()
    }

    /// Takes no more connections. Who connects from now on is for the next instance, where the service manager keeps the
    /// socket, and finds none where it is our own.
    ///
    /// - Parameter done: called once everybody who has connected has asked something, or was given the time for it.
    func stopTaking(_ done: @escaping @Sendable () -> Void) {
        guard acceptor?.end() == true else { return }
        afterFirstCalls = done
        goOnAfterFirstCalls(isTimeOver: false)
        later(after: ControlLimits.firstCall) { [self] in goOnAfterFirstCalls(isTimeOver: true) }
    }

    private func goOnAfterFirstCalls(isTimeOver: Bool) {
        guard let goOn = afterFirstCalls, isTimeOver || peers.values.allSatisfy(\.hasSpoken) else { return }
        afterFirstCalls = nil
        goOn()
    }

    /// A client has asked something, for the first time.
    func spoke() {
        goOnAfterFirstCalls(isTimeOver: false)
    }

    /// Lets everybody go, once they have been sent what they were answered.
    ///
    /// - Parameter done: called when that is so, or the time for it is over.
    func dismissAll(_ done: @escaping @Sendable () -> Void) {
        isDismissing = true
        acceptor?.end()
        publishAll()
        for peer in Array(peers.values) { peer.dismiss() }
        guard !peers.isEmpty else { return done() }
        afterLast = done
        later(after: ControlLimits.farewell) { [self] in end() }
    }

    /// Takes no more connections, and ends those that there are; what their clients have not taken by then is lost.
    func end() {
        acceptor?.end()
        for peer in Array(peers.values) { peer.close() }
        poller.end()
    }

    deinit {
        piece.deallocate()
    }

    // MARK: Clients

    private func admit(_ connection: Connection) {
        guard let credentials = PeerCredentials(of: connection.descriptor) else { return connection.close(by: closer) }
        let isAdministrator = credentials.isAdministrator(group: adminGroup)
        do throws(Crowd.Refusal) {
            try crowd.admit(credentials.user, isAdministrator: isAdministrator)
        } catch {
            complain(.warning, "a client is refused: \(error)")
            connection.close(by: closer)
            return
        }
        lastPeer += 1
        let id = PeerID(number: lastPeer)
        guard let socket = PolledSocket(connection, at: poller, { [self] in peers[id]?.become($0) }) else {
            complain(
                .warning, "a client is refused: its connection cannot be watched: \(String(cString: strerror(errno)))")
            close(connection, of: credentials.user)
            return
        }
        peers[id] = ControlPeer(
            id: id, socket: socket, user: credentials.user, isAdministrator: isAdministrator, service: service,
            server: self)
    }

    /// Closes a connection that was admitted. It counts towards its user's limits until it is closed.
    func close(_ connection: Connection, of user: uid_t) {
        // The server is used on the queue only.
        nonisolated(unsafe) let server = self
        let (queue, isBlocking) = (engine.executor.queue, connection.mayPassDescriptors)
        connection.close(by: closer) {
            // A connection that cannot pass descriptors is closed synchronously.
            if isBlocking { queue.async { server.crowd.leave(user) } } else { server.crowd.leave(user) }
        }
    }

    /// Tells what clients can bring about as often as they like, and so not each time.
    func complain(_ level: Logger.Level, _ message: String) {
        if complaints.spend(at: SystemClock.now.boot) { log.log(level: level, "\(message)") }
    }

    /// A client has sent more than was taken, or was answered more than it has read; or less, then.
    func changeHeld(by bytes: Int) {
        crowd.changeHeld(by: bytes)
        guard crowd.holdsTooMuch, !isDropping else { return }
        isDropping = true
        // Not at once: whoever has most may be the one that is being served. But before all those who are ready have been.
        // It belongs to the queue, as all that it touches does.
        nonisolated(unsafe) let server = self
        engine.executor.queue.async { server.dropGreatest() }
    }

    private func dropGreatest() {
        while crowd.holdsTooMuch,
            let greatest = greatest(of: peers.values.filter { !$0.isAdministrator })
                ?? greatest(of: Array(peers.values))
        {
            complain(
                .warning,
                "a client of user \(greatest.user) is dropped: it holds \(greatest.heldBytes) of \(crowd.heldBytes) bytes"
            )
            greatest.close()
        }
        isDropping = false
    }

    /// Of the user who holds most, the connection that holds most: nobody else pays for somebody's many connections.
    ///
    /// - Returns: nil where nobody holds anything.
    private func greatest(of peers: [ControlPeer]) -> ControlPeer? {
        let byUser = Dictionary(grouping: peers, by: \.user)
        func held(by peers: [ControlPeer]) -> Int { peers.reduce(0) { $0 + $1.heldBytes } }
        let most = byUser.values.max { held(by: $0) < held(by: $1) }
        return most?.filter { $0.heldBytes > 0 }.max { $0.heldBytes < $1.heldBytes }
    }

    func left(_ id: PeerID) {
        guard peers.removeValue(forKey: id) != nil else { return }
        goOnAfterFirstCalls(isTimeOver: false)
        if peers.isEmpty, let done = afterLast {
            afterLast = nil
            done()
        }
        // Not at once: the client may be dropped while the engine carries out an event.
        engine.post(.clientLeft(id))
    }

    /// Reads the bytes that have arrived on a connection, as `Connection.receive` does, and passes them on.
    func read(_ connection: Connection, _ take: (UnsafeRawBufferPointer) -> Void) -> Int {
        let count = connection.receive(into: piece)
        if count > 0 { take(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
        return count
    }

    /// Behind whatever was posted before.
    func post(_ event: Event) {
        engine.post(event)
    }

    /// Passes a request to the engine.
    ///
    /// - Parameter isLarge: it is handled in an event of its own, so that others get their turn between; but not at the end, for
    ///   who asks then is let go as soon as it has been answered.
    func handle(_ request: Request, isLarge: Bool) {
        if !isLarge || isDismissing {
            engine.handleNow(.requested(request))
        } else if request.body.isQuestion {
            handleInTurn(request)
        } else {
            // Changes keep the order in which they arrived, also during a stop.
            engine.post(.requested(request))
        }
    }

    func later(_ work: @escaping () -> Void) {
        poller.later(work)
    }

    private func later(after delay: Duration, _ work: @escaping () -> Void) {
        // It runs on the queue that everything here belongs to, and is made there.
        nonisolated(unsafe) let work = work
        engine.executor.queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay.wholeMilliseconds))) { work() }
    }
}
