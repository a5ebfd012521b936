/// Who waits for an answer, and who listens: both bounded.
struct Audience: Sendable {
    /// A request that waits until each of its addresses has an answer, or until its time is over.
    struct Caller: Sendable {
        let request: Request.ID
        let addresses: [IPAddress]
        /// Those that have not been answered yet.
        var pending: Set<IPAddress>
    }

    struct Listener: Sendable {
        let kinds: Set<Notice.Kind>?
        let addresses: Set<IPAddress>?
        /// Kept notices up to this seq are still to be read from the disk; nil once it hears them as they happen.
        var reading: Reading?

        struct Reading: Hashable, Sendable {
            /// Everything up to here was told.
            var after: Int64
            /// What is on disk at least when the read that is under way begins.
            var target: Int64
        }

        func wants(_ notice: Notice) -> Bool {
            if let kinds, !kinds.contains(notice.kind) { return false }
            if let addresses, let address = notice.address, !addresses.contains(address) { return false }
            return true
        }
    }

    private(set) var callers: [Int: Caller] = [:]
    private var freeIndices: [Int] = []
    private var nextIndex = 0
    private var waiting: [IPAddress: Set<Int>] = [:]

    private(set) var listeners: [Request.ID: Listener] = [:]
    /// In the order in which they came, so that the same history tells in the same order.
    private(set) var listenerOrder: [Request.ID] = []

    func isAwaited(_ address: IPAddress) -> Bool { waiting[address] != nil }

    // MARK: Callers

    /// - Parameter pending: not empty.
    mutating func wait(_ request: Request.ID, for addresses: [IPAddress], pending: Set<IPAddress>) -> Int {
        let index = freeIndices.popLast() ?? nextIndex
        if index == nextIndex { nextIndex += 1 }
        callers[index] = Caller(request: request, addresses: addresses, pending: pending)
        for address in pending { waiting[address, default: []].insert(index) }
        return index
    }

    /// An address has its answer.
    ///
    /// - Returns: the callers that wait for nothing more, in the order of their index.
    mutating func settle(_ address: IPAddress) -> [Int] {
        guard let indices = waiting.removeValue(forKey: address) else { return [] }
        return indices.sorted().filter { index in
            callers[index]?.pending.remove(address)
            return callers[index]?.pending.isEmpty == true
        }
    }

    /// Whether there is a caller with this index, and all of its addresses have been answered.
    func isReady(_ index: Int) -> Bool { callers[index]?.pending.isEmpty == true }

    /// A caller gets its answer now, whatever is still pending.
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

    /// A client has gone: its callers and listeners go with it.
    ///
    /// - Returns: the indices that its callers had.
    mutating func leave(_ peer: PeerID) -> [Int] {
        for request in listenerOrder where request.peer == peer { stopListening(request) }
        let indices = callers.filter { $0.value.request.peer == peer }.keys.sorted()
        for index in indices { _ = dismiss(index) }
        return indices
    }
}
