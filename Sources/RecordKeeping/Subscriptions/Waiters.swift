/// The requests that wait for the results of calls. The keeper limits their number.
struct Waiters: Sendable {
    /// A request that waits until each of its addresses has an answer, or until its time limit.
    struct Caller: Sendable {
        let request: Request.ID
        let requester: Requester
        let addresses: [IPAddress]
        /// The addresses that have no answer yet.
        var pending: Set<IPAddress>
    }

    private(set) var callers: [Int: Caller] = [:]
    private var freeIndices: [Int] = []
    private var nextIndex = 0
    private var waiting: [IPAddress: Set<Int>] = [:]

    /// Returns whether a caller waits for the address.
    func isAwaited(_ address: IPAddress) -> Bool { waiting[address] != nil }

    /// Returns a client that waits for the address, preferably an administrator; nil if there is none.
    func requester(awaiting address: IPAddress) -> Requester? {
        let requesters = waiting[address]?.sorted().compactMap { callers[$0]?.requester } ?? []
        return requesters.first(where: \.isAdministrator) ?? requesters.first
    }

    /// Returns the indices of the callers that wait for the address, in ascending order.
    func callers(awaiting address: IPAddress) -> [Int] { waiting[address]?.sorted() ?? [] }

    /// Returns the addresses for which the requests of a client wait.
    func pending(of peer: PeerID) -> Set<IPAddress> {
        callers.values.reduce(into: []) { if $1.request.peer == peer { $0.formUnion($1.pending) } }
    }

    /// Registers a caller.
    ///
    /// - Parameter pending: the addresses to wait for; not empty.
    /// - Returns: the caller's index, which is unique among waiting callers and is reused later.
    mutating func wait(
        _ request: Request.ID, of requester: Requester, for addresses: [IPAddress], pending: Set<IPAddress>
    ) -> Int {
        let index = freeIndices.popLast() ?? nextIndex
        if index == nextIndex { nextIndex += 1 }
        callers[index] = Caller(request: request, requester: requester, addresses: addresses, pending: pending)
        for address in pending { waiting[address, default: []].insert(index) }
        return index
    }

    /// Records that an address has an answer.
    ///
    /// - Returns: the callers that wait for no other address, in ascending order of index.
    mutating func resolve(_ address: IPAddress) -> [Int] {
        // Usually, no request is waiting, and this check avoids hashing the address.
        guard !waiting.isEmpty, let indices = waiting.removeValue(forKey: address) else { return [] }
        return indices.sorted().filter { index in
            callers[index]?.pending.remove(address)
            return callers[index]?.pending.isEmpty == true
        }
    }

    /// Returns whether a caller with this index exists and all of its addresses have an answer.
    func isReady(_ index: Int) -> Bool { callers[index]?.pending.isEmpty == true }

    /// Removes a caller, whether or not it has pending addresses. Returns nil if there is no caller with this index.
    mutating func remove(_ index: Int) -> Caller? {
        guard let caller = callers.removeValue(forKey: index) else { return nil }
        freeIndices.append(index)
        for address in caller.pending {
            waiting[address]?.remove(index)
            if waiting[address]?.isEmpty == true { waiting[address] = nil }
        }
        return caller
    }

    /// Removes the callers of a client that has disconnected, and returns their indices.
    mutating func removeAll(of peer: PeerID) -> [Int] {
        let indices = callers.filter { $0.value.request.peer == peer }.keys.sorted()
        for index in indices { _ = remove(index) }
        return indices
    }
}
