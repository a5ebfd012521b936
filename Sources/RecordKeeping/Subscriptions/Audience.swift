/// The requests that wait for calls, and the listeners. The keeper limits the number of both.
struct Audience: Sendable {
    /// A request that waits until each of its addresses has an answer, or until its time limit.
    struct Caller: Sendable {
        let request: Request.ID
        let addresses: [IPAddress]
        /// The addresses that have no answer yet.
        var pending: Set<IPAddress>
    }

    /// The filters and the position of a `Monitor` request.
    struct Listener: Sendable {
        let kinds: Set<PublishedEvent.Kind>?
        let addresses: Set<IPAddress>?
        /// The progress of reading kept events from the disk; nil once the listener receives events as they happen.
        var reading: Reading?

        struct Reading: Hashable, Sendable {
            /// The `seq` up to which the listener has received events.
            var after: Int64
            /// The last `seq` that was published when the current read was requested.
            var target: Int64
        }

        /// Returns whether the filters match an event. An event without an address matches every address filter.
        func wants(_ event: PublishedEvent) -> Bool {
            if let kinds, !kinds.contains(event.kind) { return false }
            if let addresses, let address = event.address, !addresses.contains(address) { return false }
            return true
        }
    }

    private(set) var callers: [Int: Caller] = [:]
    private var freeIndices: [Int] = []
    private var nextIndex = 0
    private var waiting: [IPAddress: Set<Int>] = [:]

    private(set) var listeners: [Request.ID: Listener] = [:]
    /// In order of arrival, so that the same inputs give the same effects.
    private(set) var listenerOrder: [Request.ID] = []

    /// Returns whether a caller waits for the address.
    func isAwaited(_ address: IPAddress) -> Bool { waiting[address] != nil }

    // MARK: Callers

    /// Registers a caller.
    ///
    /// - Parameter pending: the addresses to wait for; not empty.
    /// - Returns: the caller's index, which is unique among waiting callers and is reused later.
    mutating func wait(_ request: Request.ID, for addresses: [IPAddress], pending: Set<IPAddress>) -> Int {
        let index = freeIndices.popLast() ?? nextIndex
        if index == nextIndex { nextIndex += 1 }
        callers[index] = Caller(request: request, addresses: addresses, pending: pending)
        for address in pending { waiting[address, default: []].insert(index) }
        return index
    }

    /// Records that an address has an answer.
    ///
    /// - Returns: the callers that wait for nothing else, in ascending order of index.
    mutating func resolve(_ address: IPAddress) -> [Int] {
        guard let indices = waiting.removeValue(forKey: address) else { return [] }
        return indices.sorted().filter { index in
            callers[index]?.pending.remove(address)
            return callers[index]?.pending.isEmpty == true
        }
    }

    /// Returns whether a caller with this index exists and all of its addresses have an answer.
    func isReady(_ index: Int) -> Bool { callers[index]?.pending.isEmpty == true }

    /// Removes a caller, whether or not it has pending addresses. Returns nil if there is none with this index.
    mutating func dismiss(_ index: Int) -> Caller? {
        guard let caller = callers.removeValue(forKey: index) else { return nil }
        freeIndices.append(index)
        for address in caller.pending {
            waiting[address]?.remove(index)
            if waiting[address]?.isEmpty == true { waiting[address] = nil }
        }
        return caller
    }

    // MARK: Listeners

    mutating func listen(_ request: Request.ID, _ listener: Listener) {
        listeners[request] = listener
        listenerOrder.append(request)
    }

    mutating func update(_ request: Request.ID, reading: Listener.Reading?) {
        listeners[request]?.reading = reading
    }

    mutating func stopListening(_ request: Request.ID) {
        guard listeners.removeValue(forKey: request) != nil else { return }
        listenerOrder.removeAll { $0 == request }
    }

    /// Removes the callers and listeners of a client that has disconnected.
    ///
    /// - Returns: the indices of the removed callers.
    mutating func leave(_ peer: PeerID) -> [Int] {
        for request in listenerOrder where request.peer == peer { stopListening(request) }
        let indices = callers.filter { $0.value.request.peer == peer }.keys.sorted()
        for index in indices { _ = dismiss(index) }
        return indices
    }
}
