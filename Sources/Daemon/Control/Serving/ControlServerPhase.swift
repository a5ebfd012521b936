/// The phase of a control server, from its first client to its last.
///
///     idle ─ begin → accepting ─ stopAccepting → draining ─ drain → drained
///     any of these ─ dismiss → dismissing ─ lastClientLeft → dismissed
///     any phase ─ end → ended
///
/// It has no sockets and no timers, so that it can be tested alone: each method returns what the server has to do.
///
/// `Completion` is the type of the closures that are called when a phase has ended.
enum ControlServerPhase<Completion> {
    /// No client has been accepted.
    case idle
    case accepting
    /// No further client is accepted. `done` is called when every client has sent data.
    case draining(done: Completion)
    /// Every client has sent data, or has had the time to do so.
    case drained
    /// Clients are disconnected after their pending replies. `done` is called when the last client has left.
    case dismissing(done: Completion)
    /// No client is connected.
    case dismissed
    /// The sockets are closed.
    case ended

    init() {
        self = .idle
    }

    /// Whether clients are being disconnected.
    var isDismissing: Bool {
        if case .dismissing = self { true } else { false }
    }

    /// - Returns: whether to start accepting clients.
    mutating func begin() -> Bool {
        guard case .idle = self else { return false }
        self = .accepting
        return true
    }

    /// - Returns: whether to stop accepting clients, and then to call `drain`.
    mutating func stopAccepting(_ done: Completion) -> Bool {
        guard case .accepting = self else { return false }
        self = .draining(done: done)
        return true
    }

    /// Called when every client has sent data, or when the time to do so has passed.
    ///
    /// - Returns: the completion to call.
    mutating func drain() -> Completion? {
        guard case .draining(let done) = self else { return nil }
        self = .drained
        return done
    }

    /// - Returns: whether to disconnect the clients, and then to call `lastClientLeft` if there are none.
    mutating func dismiss(_ done: Completion) -> Bool {
        switch self {
        case .idle, .accepting, .draining, .drained:
            self = .dismissing(done: done)
            return true
        case .dismissing, .dismissed, .ended: return false
        }
    }

    /// No client is connected.
    ///
    /// - Returns: the completion to call.
    mutating func lastClientLeft() -> Completion? {
        guard case .dismissing(let done) = self else { return nil }
        self = .dismissed
        return done
    }

    /// Called when all clients are disconnected.
    ///
    /// - Returns: whether to stop watching sockets.
    mutating func end() -> Bool {
        if case .ended = self { return false }
        self = .ended
        return true
    }
}
