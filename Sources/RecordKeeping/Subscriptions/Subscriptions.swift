/// The listeners: `Monitor` requests, each with its filters and its position. The keeper limits their number.
struct Subscriptions: Sendable {
    /// The filters and the position of a `Monitor` request.
    struct Listener: Sendable {
        let kinds: Set<PublishedEvent.Kind>?
        let addresses: Set<IPAddress>?
        /// The `seq` up to which the listener has received kept events, while it catches up from the disk; nil once it
        /// receives events as they happen.
        var readUpTo: Int64?

        /// Returns whether the filters match an event. An event without an address matches every address filter.
        func wants(_ event: PublishedEvent) -> Bool {
            if let kinds, !kinds.contains(event.kind) { return false }
            if let addresses, let address = event.address, !addresses.contains(address) { return false }
            return true
        }
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
