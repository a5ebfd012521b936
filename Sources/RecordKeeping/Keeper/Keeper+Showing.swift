/// Answering what is known of addresses, now or once it is.
extension Keeper {
    mutating func show(_ addresses: [IPAddress], wait: Duration, for request: Request, at now: Instant) {
        if wait <= .zero, addresses.allSatisfy({ slots.number(of: $0) != nil }) {
            return answer(request.id, withEntriesOf: addresses, at: now)
        }
        guard makeRoomToLookUp(addresses, for: request, at: now) else { return }
        let deadline = now.boot + min(wait, Limits.longestWait)
        var pending: Set<IPAddress> = []
        if wait > .zero, audience.callers.count < Limits.waitingRequests {
            pending = Set(addresses.filter { isWorthWaiting(for: $0, until: deadline, at: now) })
        }
        guard !pending.isEmpty else {
            return answer(request.id, withEntriesOf: addresses, at: now)
        }
        let index = audience.wait(request.id, for: addresses, pending: pending)
        schedule.set(Alarm.caller(index: index).number, to: deadline)
        for address in pending {
            if let number = slots.number(of: address) { due.hurry(number) }
        }
    }

    /// Begins to look up what nobody watches.
    ///
    /// - Returns: whether all of it may be looked up; if not, the request has been refused and nothing is begun.
    private mutating func makeRoomToLookUp(_ addresses: [IPAddress], for request: Request, at now: Instant) -> Bool {
        let unknown = Set(addresses.filter { slots.number(of: $0) == nil && SpecialPurpose(holding: $0) == nil })
        let limit = request.isByAdministrator ? Limits.watchedAddresses : Limits.lookedUpAddresses
        guard !unknown.isEmpty else { return true }
        guard tally.cached + unknown.count <= limit else {
            emit(.answer(request.id, .refused(.tooMany(limit: limit))))
            return false
        }
        // Without a way nothing comes of it, and there is nothing to keep.
        guard connectivity.loss == nil, phase == .running else { return true }
        for address in addresses where unknown.contains(address) && slots.number(of: address) == nil {
            lookUp(address, at: now)
        }
        return true
    }

    /// A call may bring something newer before the deadline.
    private func isWorthWaiting(for address: IPAddress, until deadline: BootTime, at now: Instant) -> Bool {
        guard let number = slots.number(of: address), connectivity.loss == nil, phase == .running else { return false }
        switch slots.activity(of: number) {
        case .asked, .settling:
            return true
        case .resting:
            guard !slots.peek(number).isSpecialPurpose, let retryAt = slots.retryAt(of: number) else { return false }
            return retryAt < deadline
        case .due:
            return earliestCall(at: now.boot).map { $0 < deadline } ?? true
        }
    }

    /// Before when no call goes out; nil where none is held back.
    func earliestCall(at now: BootTime) -> BootTime? {
        if let retryAt = provider.retryAt, now < retryAt { return retryAt }
        let ends = quotas.values.map { $0.isExhausted(at: now) ? $0.resetsAt : nil }
        return ends.contains(nil) ? nil : ends.compactMap { $0 }.min()
    }

    // MARK: At a glance

    /// What is known of addresses where all of it is fresh and nothing newer is under way: what `.show` would be answered at
    /// once, however long its client would wait. Nothing changes by it, so it is no event; it is mutating so that the keeper,
    /// which is large, is not copied for it.
    ///
    /// - Parameter entries: gets an entry for each in their order, instead of what it holds.
    /// - Returns: whether all of them are so.
    package mutating func glance(_ addresses: [IPAddress], at now: Instant, into entries: inout [FreshEntry]) -> Bool {
        entries.removeAll(keepingCapacity: true)
        guard phase != .finished else { return false }
        for address in addresses {
            guard let number = slots.number(of: address), let at = slots.restsWithRecord(number),
                now.boot < expiry(ofScanAt: at)
            else { return false }
            let wall = wallTime(of: at, at: now)
            entries.append(slots.fresh(number, scannedAt: wall, expiresAt: toldExpiry(ofScanAt: wall)))
        }
        return true
    }

    /// What those entries have in common with others.
    package var common: CommonParts { slots.common }

    // MARK: Answering

    /// Answers whoever waited for nothing but this.
    mutating func answerCallers(of address: IPAddress, at now: Instant) {
        for index in audience.settle(address) { answerCaller(index, at: now) }
    }

    mutating func answerCaller(_ index: Int, at now: Instant) {
        guard let caller = audience.dismiss(index) else { return }
        schedule.remove(Alarm.caller(index: index).number)
        answer(caller.request, withEntriesOf: caller.addresses, at: now)
        for address in caller.pending.sorted() { dropIfUseless(address) }
    }

    /// Replies to a request with the entries of its addresses: those of many addresses in portions, one per turn.
    private mutating func answer(_ request: Request.ID, withEntriesOf addresses: [IPAddress], at now: Instant) {
        guard addresses.count > Limits.entriesPerTurn else {
            return emit(.answer(request, .entries(addresses.map { view(of: $0, at: now) })))
        }
        showings[request] = addresses[...]
        goOnShowing(request, at: now)
    }

    /// Replies with the next portion of a request's entries, as they are at this moment.
    mutating func goOnShowing(_ request: Request.ID, at now: Instant) {
        guard let addresses = showings.removeValue(forKey: request) else { return }
        let views = addresses.prefix(Limits.entriesPerTurn).map { view(of: $0, at: now) }
        let rest = addresses.dropFirst(Limits.entriesPerTurn)
        guard !rest.isEmpty else { return emit(.answer(request, .entries(views))) }
        showings[request] = rest
        emit(.answerPart(request, .entries(views)))
        emit(.resume(request))
    }

    // MARK: Views

    func view(of address: IPAddress, at now: Instant) -> EntryView {
        if let number = slots.number(of: address) { return view(of: number, at: now) }
        if let special = SpecialPurpose(holding: address) {
            return EntryView(address: address, state: .empty, entry: Entry(), reason: special.purpose)
        }
        var view = EntryView(address: address, state: .loading, entry: Entry())
        addFailure(to: &view, retryAt: nil, at: now)
        return view
    }

    func view(of number: Int, at now: Instant) -> EntryView {
        let address = slots.address(of: number)
        var view = EntryView(
            address: address, state: state(of: number, at: now), entry: slots.entry(of: number))
        if slots.peek(number).isSpecialPurpose {
            view.reason = SpecialPurpose(holding: address)?.purpose
            return view
        }
        if let at = view.entry.scan?.at {
            let wall = wallTime(of: at, at: now)
            view.entry.scan?.at.wall = wall
            view.expiresAt = toldExpiry(ofScanAt: wall)
        }
        switch view.state {
        case .fresh: break
        case .empty: view.reason = view.entry.scan?.answer.emptyReason
        case .loading, .stale, .failed:
            view.reason = view.entry.scan?.answer.emptyReason
            addFailure(to: &view, retryAt: slots.retryAt(of: number), at: now)
        }
        return view
    }

    func state(of number: Int, at now: Instant) -> EntryState {
        let slot = slots.peek(number)
        if slot.isSpecialPurpose { return .empty }
        guard slot.scanAt != nil else {
            let isFailing =
                connectivity.loss != nil || provider.failure != nil || slots.failure(of: number) != nil
            return isFailing ? .failed : .loading
        }
        return !isFresh(number, at: now) ? .stale : slot.isEmpty ? .empty : .fresh
    }

    /// Adds why there is nothing newer: the address's own failure, or the way's, or the provider's.
    private func addFailure(to view: inout EntryView, retryAt: BootTime?, at now: Instant) {
        let own = view.entry.failure
        view.failure = offlineFailure(at: now) ?? own ?? provider.failure
        guard view.failure != nil else { return }
        if view.state == .loading { view.state = .failed }
        let next = own == nil ? earliestCall(at: now.boot) : retryAt
        view.nextAttemptAt = connectivity.loss == nil ? next.map { now.wall + ($0 - now.boot) } : nil
    }

    private func offlineFailure(at now: Instant) -> Failure? {
        connectivity.loss.map {
            let message = "no way to \(settings.providerName): \($0.reason)"
            return Failure(kind: .offline, message: message, at: Instant(boot: now.boot, wall: $0.since), attempts: 0)
        }
    }

    /// When something was, as people are told: the wall time that was written then, unless the clock was set since.
    private func wallTime(of instant: Instant, at now: Instant) -> WallTime {
        let byAge = now.wall.milliseconds + (instant.boot.nanoseconds - now.boot.nanoseconds) / 1_000_000
        let difference = instant.wall.milliseconds - byAge
        return abs(difference) < Self.clockSlackMilliseconds ? instant.wall : WallTime(milliseconds: byAge)
    }

    /// Until when what was scanned is fresh, as people are told.
    private func toldExpiry(ofScanAt wall: WallTime) -> WallTime {
        WallTime(milliseconds: wall.milliseconds + settings.intervalNanoseconds / 1_000_000)
    }

    /// The two clocks drift apart by adjustments that are no steps (adjtimex(2) slews at most 0.5 ms a second).
    private static let clockSlackMilliseconds: Int64 = 2_000
}
