import RecordKeeping

/// The `Show` requests that the daemon has read and not answered, and the clients that asked for each address.
struct OpenRequests {
    struct OpenRequest {
        let user: UInt32
        let isAdministrator: Bool
        let addresses: [IPAddress]
        let since: Moment
        let wait: Duration
    }

    /// The users who asked for an address.
    struct Askers {
        var users: Set<UInt32> = []
        var hasAdministrator = false
    }

    private var requests: [Request.ID: OpenRequest] = [:]
    private var requestsByAddress: [IPAddress: Set<Request.ID>] = [:]
    /// The users who asked for an address since its last call.
    private var askers: [IPAddress: Askers] = [:]
    /// The time since which each address certainly waits for the quota, although it is not watched: a reply has
    /// reported this, and no call has been made for the address since then.
    private(set) var queuedLookups: [IPAddress: Moment] = [:]
    /// The time of the last request for an address; nil if there was none since the process started.
    private(set) var lastRequest: Moment?

    /// Returns the open requests that wait for an address.
    func naming(_ address: IPAddress) -> [OpenRequest] {
        requestsByAddress[address]?.compactMap { requests[$0] } ?? []
    }

    func askers(of address: IPAddress) -> Askers { askers[address] ?? Askers() }

    /// Handles a request that may have displaced queued lookups.
    mutating func mayHaveDisplaced() { queuedLookups = [:] }

    mutating func opened(_ request: Request, at now: Moment) {
        guard case .show(let addresses, let wait) = request.body else { return }
        lastRequest = now
        for address in addresses {
            askers[address, default: Askers()].users.insert(request.user)
            if request.isByAdministrator { askers[address]?.hasAdministrator = true }
        }
        guard wait > .zero else { return }
        requests[request.id] = OpenRequest(
            user: request.user, isAdministrator: request.isByAdministrator, addresses: addresses, since: now, wait: wait
        )
        for address in addresses { requestsByAddress[address, default: []].insert(request.id) }
    }

    /// Handles the final reply to a request.
    ///
    /// - Returns: the request; nil if it did not ask the daemon to wait.
    @discardableResult
    mutating func closed(_ id: Request.ID) -> OpenRequest? {
        guard let request = requests.removeValue(forKey: id) else { return nil }
        for address in request.addresses {
            requestsByAddress[address]?.remove(id)
            if requestsByAddress[address]?.isEmpty == true { requestsByAddress[address] = nil }
        }
        return request
    }

    mutating func closedAll(of peer: PeerID) {
        for id in requests.keys where id.peer == peer { closed(id) }
    }

    /// Handles a reply that shows the entry of an address that is not watched.
    mutating func showed(_ lookup: EntryView, at now: Moment) {
        guard lookup.failure?.kind == .quotaExhausted else {
            queuedLookups[lookup.address] = nil
            return
        }
        queuedLookups[lookup.address] = queuedLookups[lookup.address] ?? now
    }

    /// Handles a call. From now on, only clients that are still waiting count as having asked for its
    /// addresses.
    mutating func called(_ addresses: [IPAddress]) {
        for address in addresses {
            queuedLookups[address] = nil
            let open = naming(address)
            askers[address] =
                open.isEmpty
                ? nil : Askers(users: Set(open.map(\.user)), hasAdministrator: open.contains(where: \.isAdministrator))
        }
    }
}
