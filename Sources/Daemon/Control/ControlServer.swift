import CLinux
import Control
import Dispatch
import Glibc
import Logging
import RecordKeeping
import Varlink

/// The control interface: everybody who is connected.
///
/// Belongs to the engine's queue: sockets fire on it, and the engine's answers are carried out on it.
final class ControlServer {
    let log: Logger
    private let engine: Engine
    private let sockets: [ListeningSocket]
    private let adminGroup: gid_t?
    private let service: ServiceInterface
    /// Adds to the core's status what is the daemon's to know.
    private let status: @Sendable (StatusView) -> Status.Reply

    private var acceptSources: [any DispatchSourceRead] = []
    private var peers: [PeerID: ControlPeer] = [:]
    private var lastPeer: UInt64 = 0
    /// Kept to be given up when descriptors have run out, so that a connection can be taken and closed.
    private var spare: Int32

    /// - Parameter adminGroup: the group whose members may change things; nil for nobody but root and the daemon's user.
    init(
        engine: Engine, sockets: [ListeningSocket], adminGroup: gid_t?, log: Logger,
        status: @escaping @Sendable (StatusView) -> Status.Reply
    ) {
        self.engine = engine
        self.sockets = sockets
        self.adminGroup = adminGroup
        self.log = log
        self.status = status
        service = ServiceInterface(
            vendor: Version.vendor, product: Version.product, version: Version.text, url: Version.url,
            descriptions: [Interface.name: Interface.text])
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    /// Takes connections from now on.
    func begin() {
        acceptSources = sockets.map { socket in
            let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: engine.executor.queue)
            source.setEventHandler { [weak self] in self?.accept(at: socket.descriptor) }
            source.setCancelHandler { socket.remove() }
            source.activate()
            return source
        }
    }

    /// Takes no more connections, and ends those that there are; what their clients have not read by then is lost.
    func end() {
        for source in acceptSources { source.cancel() }
        for peer in peers.values { peer.close() }
    }

    // MARK: Clients

    private func accept(at listener: Int32) {
        while true {
            let descriptor = clinux_accept(listener)
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                if errno == EMFILE || errno == ENFILE { refuse(at: listener) }
                return
            }
            guard peers.count < ControlLimits.connections, let credentials = PeerCredentials(of: descriptor) else {
                close(descriptor)
                continue
            }
            lastPeer += 1
            let id = PeerID(number: lastPeer)
            peers[id] = ControlPeer(
                id: id, descriptor: descriptor, isAdministrator: credentials.isAdministrator(group: adminGroup),
                service: service, server: self, queue: engine.executor.queue)
        }
    }

    /// There are no descriptors left. The connection is taken and closed, so that it does not wait for ever and the socket
    /// does not keep firing.
    private func refuse(at listener: Int32) {
        log.warning("a client is refused: there are no file descriptors left")
        close(spare)
        let descriptor = clinux_accept(listener)
        if descriptor >= 0 { close(descriptor) }
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    func left(_ id: PeerID) {
        guard peers.removeValue(forKey: id) != nil else { return }
        // Not at once: the client may be dropped while the engine carries out an event.
        engine.post(.clientLeft(id))
    }

    func handle(_ event: Event) {
        engine.handleNow(event)
    }

    func later(_ work: @escaping () -> Void) {
        // It runs on the queue that everything here belongs to, and is made there.
        nonisolated(unsafe) let work = work
        engine.executor.queue.async { work() }
    }

    // MARK: Answers

    func answer(_ request: Request.ID, _ response: Response) {
        peers[request.peer]?.answer(request.number, OutgoingReply.message(response, status: status))
    }

    /// One answer of several; the client is given time to read it.
    func answerPart(_ request: Request.ID, _ response: Response) {
        peers[request.peer]?.answerPart(
            request.number, OutgoingReply.message(response, continues: true, status: status))
    }

    /// Tells the engine to go on with a request once its client has read what it was sent.
    func resume(_ request: Request.ID) {
        peers[request.peer]?.resume(request.number) { [engine] in engine.post(.resumed(request)) }
    }

    func tell(_ request: Request.ID, _ notice: Notice, _ entry: EntryView?) {
        guard let peer = peers[request.peer] else { return }
        let event = Monitor.Reply(event: Interface.Event(notice, entry))
        peer.tell(request.number, OutgoingReply.message(event, continues: true))
    }
}
