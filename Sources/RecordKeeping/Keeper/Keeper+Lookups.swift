/// Lookups: their admission and their owners.
extension Keeper {
    /// Begins lookups for addresses that have no entry.
    ///
    /// - Returns: false if there would be too many lookups; the request is then refused, and no lookup is begun.
    mutating func beginLookups(_ addresses: [IPAddress], for request: Request, at now: Instant) -> Bool {
        let unknown = Set(addresses.filter { slots.index(of: $0) == nil && SpecialPurpose(holding: $0) == nil })
        guard !unknown.isEmpty else { return true }
        guard makeRoom(forLookups: unknown.count, of: request.requester) else {
            let limit = request.isByAdministrator ? Limits.watchedAddresses : Limits.lookedUpAddresses
            emit(.answer(request.id, .refused(.tooMany(limit: limit, .lookups))))
            return false
        }
        // Without a route the lookup would fail, so no entry is created.
        guard connectivity.loss == nil, phase == .running else { return true }
        for address in addresses where unknown.contains(address) && slots.index(of: address) == nil {
            lookUp(address, for: request.requester, at: now)
        }
        return true
    }

    /// Adds an entry for an address that is not watched, and queues it for a call.
    mutating func lookUp(_ address: IPAddress, for requester: Requester, at now: Instant) {
        let index = insert(address, Entry(), at: now)
        lookupOwners.add(index, requester)
        place(index, at: now)
    }

    /// Makes room for the lookups of a request. If all lookups of users without administrative rights are in use, a
    /// user below the fair share displaces queued lookups that no caller waits for, of users above it.
    ///
    /// - Returns: false if there is no room; nothing has changed then.
    private mutating func makeRoom(forLookups count: Int, of requester: Requester) -> Bool {
        guard !requester.isAdministrator else { return tally.cached + count <= Limits.watchedAddresses }
        let excess = lookupOwners.count + count - Limits.lookedUpAddresses
        guard excess > 0 else { return true }
        let share = lookupOwners.fairShare(of: requester.user)
        guard lookupOwners.count(of: requester.user) + count <= share else { return false }
        let displaced = due.lastLookups(excess).filter { index in
            lookupOwners[index].map { !$0.isAdministrator && lookupOwners.count(of: $0.user) > share } ?? false
        }
        guard displaced.count == excess else { return false }
        for index in displaced { drop(index) }
        return true
    }

    /// Whether an address is queued for a lookup that stays in the queue although no client waits for it, because the
    /// daemon can make its call, perhaps in the next window.
    func keepsLookup(of address: IPAddress) -> Bool {
        guard let index = slots.index(of: address), case .due = slots.activity(of: index) else { return false }
        return keepsLookup(index)
    }

    /// Whether the address has a lookup, and the provider, the route and the database do not prevent its call.
    func keepsLookup(_ index: Int) -> Bool {
        lookupOwners[index] != nil && !provider.isFailing && connectivity.isOpen && !commitQueue.isFailing
    }

    /// Returns the client for which a lookup is sent: a waiting one, if there is any, otherwise the one that began it.
    func requester(of index: Int) -> Requester {
        waiters.requester(awaiting: slots.peek(index).address) ?? lookupOwners[index]
            ?? Requester(user: .max, isAdministrator: false)
    }

    /// Moves an entry back in its queue if its last caller has stopped waiting.
    mutating func relax(_ address: IPAddress) {
        guard !waiters.isAwaited(address), let index = slots.index(of: address) else { return }
        due.relax(index, for: requester(of: index))
    }
}
