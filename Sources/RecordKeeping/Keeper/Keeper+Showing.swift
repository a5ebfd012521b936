/// Replies to `Show` requests, and the entries as clients see them.
extension Keeper {
    /// Replies to a `Show` request: at once, or when the awaited calls have completed, at the latest after `wait`.
    mutating func show(_ addresses: [IPAddress], wait: Duration, for request: Request, at now: Instant) {
        if wait <= .zero, addresses.allSatisfy({ slots.index(of: $0) != nil }) {
            return answer(request.id, withEntriesOf: addresses, at: now)
        }
        guard beginLookups(addresses, for: request, at: now) else { return }
        let deadline = now.boot + min(wait, Limits.maxWait)
        var pending: Set<IPAddress> = []
        // A request beyond the limit is answered at once.
        if wait > .zero, waiters.callers.count < settings.capacity.waitingRequests(for: request) {
            pending = Set(addresses.filter { isWorthWaiting(for: $0, until: deadline, at: now) })
        }
        guard !pending.isEmpty else {
            return answer(request.id, withEntriesOf: addresses, at: now)
        }
        let index = waiters.wait(request.id, of: request.requester, for: addresses, pending: pending)
        schedule.set(TimerID.caller(index: index).id, to: deadline)
        // The loop does not iterate over the set, because the order of a set differs in each process.
        for address in addresses where pending.contains(address) {
            guard let index = slots.index(of: address) else { continue }
            // The client does not wait until the entry's turn comes.
            if nextSlotOfDataChange != nil { renew(index, at: now) }
            due.hurry(index, for: request.requester)
        }
    }

    /// Replies with the entries of the addresses that have one, and of special-purpose addresses. No call is made.
    mutating func showKnown(_ addresses: [IPAddress], for request: Request.ID, at now: Instant) {
        let known = addresses.filter { slots.index(of: $0) != nil || SpecialPurpose(holding: $0) != nil }
        answer(request, withEntriesOf: known, at: now)
    }

    /// Whether a call may return a newer record before the deadline.
    private func isWorthWaiting(for address: IPAddress, until deadline: BootTime, at now: Instant) -> Bool {
        guard let index = slots.index(of: address), connectivity.loss == nil, phase == .running else { return false }
        switch slots.activity(of: index) {
        case .asked, .committing:
            return true
        case .resting:
            if slots.peek(index).isSpecialPurpose { return false }
            if let retryAt = slots.retryAt(of: index) { return retryAt < deadline }
            // The record may expire before the timer makes the entry due.
            return !isFresh(index, at: now) && isCallPossible(before: deadline, at: now)
        case .due:
            return isCallPossible(before: deadline, at: now)
        }
    }

    private func isCallPossible(before deadline: BootTime, at now: Instant) -> Bool {
        earliestCall(at: now.boot).map { $0 < deadline } ?? true
    }

    // MARK: Fast path

    /// Reads the entries of addresses if all of their records are fresh and none is being replaced. In this case,
    /// `.show` would be answered at once, regardless of its `wait`.
    ///
    /// This method changes nothing, so it needs no event. It is mutating so that the keeper, which is a large value, is
    /// not copied.
    ///
    /// - Parameter entries: replaced by the entries, in the order of the addresses; incomplete if the result is false.
    /// - Returns: whether all addresses have such an entry.
    package mutating func readFresh(_ addresses: [IPAddress], at now: Instant, into entries: inout [FreshEntryView])
        -> Bool
    {
        entries.removeAll(keepingCapacity: true)
        guard phase != .finished else { return false }
        for address in addresses {
            guard let index = slots.index(of: address), let cohort = slots.restsWithRecord(index),
                end(of: cohort).isAfter(now.boot)
            else { return false }
            let wall = wallTime(of: cohort.at, at: now)
            entries.append(
                slots.fresh(
                    index, scannedAt: wall, expiresAt: reportedExpiry(ofScanAt: wall, version: cohort.version)))
        }
        return true
    }

    /// The interned values to which these entries refer.
    package var internedValues: InternedValues { slots.internedValues }

    // MARK: Replies

    /// Replies to a waiting request with the current entries of its addresses. Its lookups stay in the queue as long as
    /// the daemon can make their calls.
    mutating func answerCaller(_ index: Int, at now: Instant) {
        guard let caller = dismissCaller(index) else { return }
        answer(caller.request, withEntriesOf: caller.addresses, at: now)
        release(caller)
    }

    /// Refuses a waiting request. Its lookups stay in the queue as after `answerCaller`.
    mutating func refuseCaller(_ index: Int, _ refusal: Refusal) {
        guard let caller = dismissCaller(index) else { return }
        emit(.answer(caller.request, .refused(refusal)))
        release(caller)
    }

    private mutating func dismissCaller(_ index: Int) -> Waiters.Caller? {
        schedule.remove(TimerID.caller(index: index).id)
        return waiters.remove(index)
    }

    /// Handles the end of a wait. Lookups that no other caller waits for get a lower priority, or are dropped if the
    /// daemon cannot make their calls.
    private mutating func release(_ caller: Waiters.Caller) {
        for address in caller.pending.sorted() {
            if !keepsLookup(of: address) { dropIfUseless(located(address)) }
            relax(address)
        }
    }

    /// Replies to a request with the entries of its addresses. If there are many addresses, the reply is sent in
    /// portions, one per turn.
    private mutating func answer(_ request: Request.ID, withEntriesOf addresses: [IPAddress], at now: Instant) {
        guard addresses.count > Limits.entriesPerTurn else {
            return emit(.answer(request, .entries(views(of: addresses, at: now))))
        }
        showings[request] = addresses[...]
        goOnShowing(request, at: now)
    }

    /// Sends the next portion of a request's entries, as they are at this moment.
    mutating func goOnShowing(_ request: Request.ID, at now: Instant) {
        guard let addresses = showings.removeValue(forKey: request) else { return }
        let views = views(of: addresses.prefix(Limits.entriesPerTurn), at: now)
        let rest = addresses.dropFirst(Limits.entriesPerTurn)
        guard !rest.isEmpty else { return emit(.answer(request, .entries(views))) }
        showings[request] = rest
        emit(.answerPart(request, .entries(views)))
        emit(.resume(request))
    }

    // MARK: Views

    private func views(of addresses: some Sequence<IPAddress>, at now: Instant) -> [EntryView] {
        var attempt = NextAttempt()
        return addresses.map { view(of: $0, at: now, sharing: &attempt) }
    }

    /// Returns the entry of an address as clients see it. An address without an entry is loading or failed, or empty if
    /// it has a special purpose.
    ///
    /// - Parameter attempt: the next call, which is the same for all entries of a reply.
    func view(of address: IPAddress, at now: Instant, sharing attempt: inout NextAttempt) -> EntryView {
        if let index = slots.index(of: address) { return view(of: index, at: now, sharing: &attempt) }
        if let special = SpecialPurpose(holding: address) {
            return EntryView(address: address, state: .empty, entry: Entry(), reason: special.purpose)
        }
        var view = EntryView(address: address, state: .loading, entry: Entry())
        addReason(to: &view, isDue: false, retryAt: nil, at: now, sharing: &attempt)
        return view
    }

    func view(of index: Int, at now: Instant, sharing attempt: inout NextAttempt) -> EntryView {
        let address = slots.peek(index).address
        var view = EntryView(
            address: address, state: state(of: index, at: now), entry: slots.entry(of: index), ids: slots.ids(of: index)
        )
        if slots.peek(index).isSpecialPurpose {
            view.reason = SpecialPurpose(holding: address)?.purpose
            return view
        }
        if let scan = view.entry.scan {
            let wall = wallTime(of: scan.at, at: now)
            view.entry.scan?.at.wall = wall
            view.expiresAt = reportedExpiry(ofScanAt: wall, version: scan.version)
        }
        switch view.state {
        case .fresh: break
        case .empty: view.reason = view.entry.scan?.answer.emptyReason
        case .loading, .stale, .failed:
            view.reason = view.entry.scan?.answer.emptyReason
            let isDue = if case .due = slots.activity(of: index) { true } else { false }
            addReason(to: &view, isDue: isDue, retryAt: slots.retryAt(of: index), at: now, sharing: &attempt)
        }
        return view
    }

    func state(of index: Int, at now: Instant) -> EntryState {
        let slot = slots.peek(index)
        if slot.isSpecialPurpose { return .empty }
        guard slot.isAnswered else {
            let isFailing =
                connectivity.loss != nil || provider.failure != nil || slots.failure(of: index) != nil
            return isFailing ? .failed : .loading
        }
        return !isFresh(index, at: now) ? .stale : slot.isEmpty ? .empty : .fresh
    }

    /// Returns the wall time to send to clients: the stored one, unless the wall clock has been set since then.
    private func wallTime(of instant: Instant, at now: Instant) -> WallTime {
        let byAge = now.wall.milliseconds + (instant.boot.nanoseconds - now.boot.nanoseconds) / 1_000_000
        let difference = instant.wall.milliseconds - byAge
        return abs(difference) < Self.clockSlackMilliseconds ? instant.wall : WallTime(milliseconds: byAge)
    }

    /// Returns the time at which a record expires, to send to clients; nil if no time determines whether it is current.
    private func reportedExpiry(ofScanAt wall: WallTime, version: DataVersion.ID?) -> WallTime? {
        guard case .interval(let nanoseconds) = validity, version == nil else { return nil }
        return WallTime(milliseconds: wall.milliseconds + nanoseconds / 1_000_000)
    }

    /// Difference in milliseconds below which the wall clock is assumed to have been slewed, not set: adjtimex(2) slews
    /// by at most 0.5 ms a second.
    private static let clockSlackMilliseconds: Int64 = 2_000
}
