import CLinux
import Dispatch
import Glibc

/// Accepts connections on the listening sockets, and passes them to `admit`.
///
/// Accessed only on its queue. Retains itself until `end`.
final class ConnectionAcceptor {
    private enum State {
        case idle
        /// One source for each socket.
        case accepting([any DispatchSourceRead])
        /// The sources are suspended until a timer resumes them.
        case paused([any DispatchSourceRead])
        case ended
    }

    private let sockets: [ListeningSocket]
    private let queue: DispatchQueue
    private let closer: ConnectionCloser
    private let acceptConnection: (Int32) -> Int32
    private let logRateLimited: (String) -> Void
    private let admit: (Connection) -> Void
    private var state = State.idle
    /// A spare descriptor, closed when no other descriptors are left, so that a connection can be accepted and closed;
    /// -1 if there is none.
    private var spare: Int32

    /// Time for which accepting pauses after accept(2) has failed. The socket stays readable, so its source would fire
    /// continuously. The pause keeps the processor load low, and a waiting client hardly notices it.
    static let pause = Duration.milliseconds(100)

    /// - Parameters:
    ///   - acceptConnection: accept4(2); returns -1 with errno.
    ///   - logRateLimited: called with the reason each time connections cannot be accepted.
    ///   - admit: called with each connection, and owns the connection from then on.
    init(
        sockets: [ListeningSocket], queue: DispatchQueue, closer: ConnectionCloser,
        acceptConnection: @escaping (Int32) -> Int32 = clinux_accept, logRateLimited: @escaping (String) -> Void,
        admit: @escaping (Connection) -> Void
    ) {
        self.sockets = sockets
        self.queue = queue
        self.closer = closer
        self.acceptConnection = acceptConnection
        self.logRateLimited = logRateLimited
        self.admit = admit
        spare = Self.openSpare()
    }

    /// Starts accepting connections.
    func begin() {
        let sources = sockets.map { socket in
            let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
            source.setEventHandler { [self] in accept(at: socket.descriptor, limit: ControlLimits.connectionsPerTurn) }
            source.setCancelHandler { Glibc.close(socket.descriptor) }
            source.activate()
            return source
        }
        state = .accepting(sources)
    }

    /// Stops accepting connections, and closes the sockets. Connections that wait on a socket of the service manager
    /// are left to the next instance. Connections that wait on the daemon's own socket are accepted first, because no
    /// other process will accept them.
    func end() {
        guard let sources = resumedSources() else { return }
        state = .ended
        for (socket, source) in zip(sockets, sources) {
            socket.hide()
            if socket.path != nil { accept(at: socket.descriptor, limit: .max) }
            source.cancel()
        }
        close(spare)
        spare = -1
    }

    /// - Returns: nil if accepting has stopped or is paused.
    private func resumedSources() -> [any DispatchSourceRead]? {
        switch state {
        case .idle, .ended: return nil
        case .accepting(let sources): return sources
        case .paused(let sources):
            // A suspended source would not be cancelled.
            for source in sources { source.resume() }
            return sources
        }
    }

    private func accept(at listener: Int32, limit: Int) {
        for _ in 0..<limit {
            guard !closer.isFull else {
                logRateLimited("paused accepting clients: \(closer.pending) earlier connections are still being closed")
                return pauseAccepting()
            }
            let descriptor = acceptConnection(listener)
            guard descriptor < 0 else {
                admit(Connection(descriptor))
                continue
            }
            let reason = errno
            switch reason {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return
            case EMFILE, ENFILE:
                logRateLimited("refused a client: no file descriptors left")
                guard refuse(at: listener) else { return pauseAccepting() }
            default:
                logRateLimited("paused accepting clients: cannot accept: \(String(cString: strerror(reason)))")
                return pauseAccepting()
            }
        }
    }

    /// Accepts a connection and closes it, so that its client does not wait until descriptors are free again.
    ///
    /// - Returns: false if no descriptor is left for that either.
    private func refuse(at listener: Int32) -> Bool {
        guard spare >= 0 else {
            spare = Self.openSpare()
            return false
        }
        close(spare)
        let descriptor = acceptConnection(listener)
        let isDone = descriptor >= 0 || errno == EAGAIN || errno == ECONNABORTED
        if descriptor >= 0 { Connection(descriptor).close(by: closer) }
        spare = Self.openSpare()
        return isDone
    }

    private static func openSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

    private func pauseAccepting() {
        guard case .accepting(let sources) = state else { return }
        state = .paused(sources)
        for source in sources { source.suspend() }
        queue.later(after: Self.pause) { [self] in
            guard case .paused(let sources) = state else { return }
            state = .accepting(sources)
            for source in sources { source.resume() }
        }
    }
}
