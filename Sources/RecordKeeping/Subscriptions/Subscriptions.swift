/// The listeners: `Monitor` requests, each with its filters and its position. The keeper limits their number.
struct Subscriptions: Sendable {
    /// The filters and the position of a `Monitor` request.
    struct Listener: Sendable {
        let selection: EventSelection
        /// The `seq` up to which the listener has received kept events, while it catches up from the disk; nil once it
        /// receives events as they happen.
        var readUpTo: Int64?
    }

    private(set) var listeners: [Request.ID: Listener] = [:]
    /// The requests in order of arrival, so that the same inputs give the same effects.
    private(set) var order: [Request.ID] = []

    mutating func add(_ request: Request.ID, _ listener: Listener) {
        listeners[request] = listener
        order.append(request)
    }

    mutating func update(_ request: Request.ID, readUpTo seq: Int64?) {
        listeners[request]?.readUpTo = seq
    }

    mutating func remove(_ request: Request.ID) {
        guard listeners.removeValue(forKey: request) != nil else { return }
        order.removeAll { $0 == request }
    }

    /// Removes the listeners of a client that has disconnected.
    mutating func removeAll(of peer: PeerID) {
        for request in order where request.peer == peer { remove(request) }
    }
}
