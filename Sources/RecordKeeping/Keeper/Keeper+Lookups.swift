/// The admission of lookups, and their owners.
extension Keeper {
    /// Begins lookups for addresses that have no entry.
    ///
    /// - Returns: false if there would be too many lookups; the request is then refused, and no lookup is begun.
    mutating func beginLookups(_ addresses: [IPAddress], for request: Request, at now: Instant) -> Bool {
        let unknown = Set(addresses.filter { slots.index(of: $0) == nil && SpecialPurpose(holding: $0) == nil })
        guard !unknown.isEmpty else { return true }
        guard makeRoom(forLookups: unknown.count, of: request.requester) else {
            emit(.answer(request.id, .refused(tooManyLookups(for: request.requester))))
            return false
        }
        // Without a route the lookup would fail, so no entry is created.
        guard connectivity.loss == nil, phase == .running else { return true }
        for address in addresses where unknown.contains(address) && slots.index(of: address) == nil {
            lookUp(address, for: request.requester, at: now)
        }
        return true
    }

    /// Looks up an address that was removed from the watch list while requests waited for it. If there is no room,
    /// these requests are refused.
    mutating func lookUpRemoved(_ address: IPAddress, at now: Instant) {
        guard let requester = waiters.requester(awaiting: address) else { return }
        guard makeRoom(forLookups: 1, of: requester) else {
            for caller in waiters.callers(awaiting: address) { refuseCaller(caller, tooManyLookups(for: requester)) }
            return
        }
        lookUp(address, for: requester, at: now)
    }

    private func tooManyLookups(for requester: Requester) -> Refusal {
        .tooMany(limit: requester.isAdministrator ? Limits.watchedAddresses : settings.capacity.lookups, .lookups)
    }

    /// Adds an entry for an address that is not watched, and queues it for a call.
    mutating func lookUp(_ address: IPAddress, for requester: Requester, at now: Instant) {
        let index = insert(address, Entry(), at: now)
        lookupOwners.add(index, requester)
        place(index, at: now)
    }

    /// Makes room for the lookups of a request. If users without administrative rights have too few lookups left, a
    /// user below the fair share displaces queued lookups of users above it, beginning with those that no caller waits
    /// for. Requests that wait for a displaced lookup are refused.
    ///
    /// - Returns: false if there is no room; in this case, nothing has changed.
    private mutating func makeRoom(forLookups count: Int, of requester: Requester) -> Bool {
        guard !requester.isAdministrator else { return tally.cached + count <= Limits.watchedAddresses }
        let excess = lookupOwners.count + count - settings.capacity.lookups
        guard excess > 0 else { return true }
        let share = lookupOwners.fairShare(of: requester.user, in: settings.capacity.lookups)
        guard lookupOwners.count(of: requester.user) + count <= share else { return false }
        let displaced = displaceable(excess, above: share)
        guard displaced.count == excess else { return false }
        let waiting = displaced.flatMap { waiters.callers(awaiting: slots.peek($0).address) }
        for index in displaced { drop(index) }
        for caller in waiting { refuseCaller(caller, tooManyLookups(for: requester)) }
        return true
    }

    /// Returns up to `count` queued lookups that may be displaced, beginning with those that would be sent last. Each
    /// user keeps at least the fair share. Lookups that other users also wait for are not displaced.
    private func displaceable(_ count: Int, above share: Int) -> [Int] {
        var displaced: [Int] = []
        var rest: [UInt32: Int] = [:]
        for index in due.lookupsFromTheEnd where displaced.count < count {
            guard let owner = lookupOwners[index], !owner.isAdministrator else { continue }
            let left = rest[owner.user] ?? lookupOwners.count(of: owner.user)
            let requesters = waiters.callers(awaiting: slots.peek(index).address).map { waiters.callers[$0]?.requester }
            guard left > share, requesters.allSatisfy({ $0 == owner }) else { continue }
            rest[owner.user] = left - 1
            displaced.append(index)
        }
        return displaced
    }

    /// Returns whether an address is queued for a lookup that stays in the queue even if no client waits for it,
    /// because the daemon can still make the call, possibly in the next quota window.
    func keepsLookup(of address: IPAddress) -> Bool {
        guard let index = slots.index(of: address), case .due = slots.activity(of: index) else { return false }
        return keepsLookup(index)
    }

    /// Returns whether the entry is a lookup whose call neither the provider nor the route nor the database prevents.
    func keepsLookup(_ index: Int) -> Bool {
        lookupOwners[index] != nil && !provider.isFailing && connectivity.isOpen && !commitQueue.isFailing
    }

    /// Returns the client on whose behalf a lookup is sent: a waiting client if there is one, otherwise the client that
    /// began the lookup.
    func requester(of index: Int) -> Requester {
        waiters.requester(awaiting: slots.peek(index).address) ?? lookupOwners[index]
            ?? Requester(user: .max, isAdministrator: false)
    }

    /// Ends the waits for an address whose call has ended. If its entry is due again, it gets a lower priority, because
    /// no caller waits for its next call.
    ///
    /// - Returns: the callers that wait for no other address, in ascending order of index.
    mutating func endWaits(for address: IPAddress) -> [Int] {
        guard waiters.isAwaited(address) else { return [] }
        let callers = waiters.resolve(address)
        relax(address)
        return callers
    }

    /// Lowers the priority of a queued entry if its last caller has stopped waiting.
    mutating func relax(_ address: IPAddress) {
        guard !waiters.isAwaited(address), let index = slots.index(of: address) else { return }
        due.relax(index, for: requester(of: index))
    }
}
