/// The life cycle of an entry: resting, due, in a call, committing.
extension Keeper {
    /// Returns the time at which the record of an entry expires; nil if there is no record.
    func expiry(of entry: Entry) -> BootTime? {
        entry.scan.map { expiry(ofScanAt: $0.at) }
    }

    func expiry(of number: Int) -> BootTime? {
        slots.peek(number).scanAt.map { expiry(ofScanAt: $0) }
    }

    func isFresh(_ number: Int, at now: Instant) -> Bool {
        expiry(of: number).map { now.boot < $0 } ?? false
    }

    func expiry(ofScanAt at: Instant) -> BootTime {
        BootTime(nanoseconds: at.boot.nanoseconds + settings.intervalNanoseconds)
    }

    func isFresh(_ entry: Entry, at now: Instant) -> Bool {
        expiry(of: entry).map { now.boot < $0 } ?? false
    }

    /// Changes a slot, and updates the counts and the list order.
    mutating func change(_ number: Int, at now: Instant, _ body: (inout Slots.Slot) -> Void) {
        let old = slots.peek(number)
        tally.remove(old)
        body(&slots[number])
        slots.set(number, category: category(of: number, at: now))
        let new = slots.peek(number)
        tally.add(new)
        listOrder(new, insteadOf: old)
    }

    /// Changes only the activity of an entry.
    mutating func become(_ activity: Slots.Activity, _ number: Int, at now: Instant) {
        let old = slots.peek(number).category
        let new = category(of: number, at: now)
        slots.set(number, activity: activity, category: new)
        tally.move(from: old, to: new)
    }

    /// Updates the list order.
    private mutating func listOrder(_ new: PackedSlot?, insteadOf old: PackedSlot?) {
        let (isIn, wasIn) = (new?.isWatched == true ? new : nil, old?.isWatched == true ? old : nil)
        guard wasIn?.isPinned != isIn?.isPinned else { return }
        if let wasIn { listOrder.remove(wasIn.address, isPinned: wasIn.isPinned) }
        if let isIn { listOrder.insert(isIn.address, isPinned: isIn.isPinned) }
    }

    private func category(of number: Int, at now: Instant) -> Tally.Category {
        let slot = slots.peek(number)
        if slot.isSpecialPurpose { return .empty }
        guard let scan = slot.scanAt else { return slots.failure(of: number) == nil ? .unknown : .failed }
        guard now.boot < expiry(ofScanAt: scan) else { return .stale }
        return slot.isEmpty ? .empty : .fresh
    }

    // MARK: Adding and removing

    /// Adds an entry, which is not yet in the schedule or a queue.
    mutating func insert(_ address: IPAddress, _ entry: Entry, at now: Instant) -> Int {
        let number = slots.insert(address, entry)
        slots.set(number, category: category(of: number, at: now))
        tally.add(slots.peek(number))
        listOrder(slots.peek(number), insteadOf: nil)
        return number
    }

    /// Removes an entry from memory, the schedule and the queues.
    mutating func drop(_ number: Int) {
        leaveQueues(number)
        tally.remove(slots.peek(number))
        listOrder(nil, insteadOf: slots.peek(number))
        slots.remove(number)
    }

    /// Applies an entry that is on disk; nil removes it.
    ///
    /// - Parameter isSettled: whether the result of the address's call is in the same commit.
    mutating func install(_ address: IPAddress, _ entry: Entry?, isSettled: Bool, at now: Instant) {
        guard let entry else {
            if let number = slots.number(of: address) {
                if isBeingAnswered(number, isSettled: isSettled) {
                    // The entry stays until the reply is handled: if the address is added again by then, no second call
                    // is made.
                    change(number, at: now) { $0.entry = Entry() }
                    return
                }
                drop(number)
            }
            // A request that arrived during the removal waits for the address, so it is looked up.
            if waiters.isAwaited(address) { lookUp(address, at: now) }
            return
        }
        guard let number = slots.number(of: address) else {
            place(insert(address, entry, at: now), at: now)
            return
        }
        change(number, at: now) { $0.entry = entry }
        switch slots.activity(of: number) {
        case .resting, .due: place(number, at: now)
        case .asked, .committing: break
        }
    }

    /// Whether the address is in a call, or the result of its call is not on disk yet.
    private func isBeingAnswered(_ number: Int, isSettled: Bool) -> Bool {
        switch slots.activity(of: number) {
        case .resting, .due: false
        case .asked: true
        case .committing: !isSettled
        }
    }

    /// Returns an entry to rest until its next deadline, once the result of its call is on disk.
    mutating func rest(_ address: IPAddress, at now: Instant) {
        guard let number = slots.number(of: address), slots.activity(of: number) == .committing else { return }
        let failure = slots.failure(of: number)
        let delay = failure.map {
            Backoff(cap: settings.interval).delay(afterAttempts: $0.attempts, random: &random)
        }
        change(number, at: now) {
            $0.activity = .resting
            $0.retryAt = delay.map { now.boot + $0 }
            if failure == nil { $0.consecutiveFailures = 0 }
        }
        place(number, at: now)
    }

    /// Removes an entry that is no longer needed, unless it is in a call or committing.
    mutating func dropIfUseless(_ address: IPAddress) {
        guard let number = slots.number(of: address) else { return }
        guard isUseless(number) else { return }
        switch slots.activity(of: number) {
        case .resting, .due: drop(number)
        case .asked, .committing: break
        }
    }

    /// Whether the address is not watched, has no record, and no request waits for it.
    func isUseless(_ number: Int) -> Bool {
        let slot = slots.peek(number)
        return !slot.isWatched && slot.scanAt == nil && !waiters.isAwaited(slot.address)
    }

    /// Puts an entry that is not in a call into the schedule, or into a queue if it is due. Special-purpose addresses
    /// need neither.
    mutating func place(_ number: Int, at now: Instant) {
        leaveQueues(number)
        guard !slots.peek(number).isSpecialPurpose else { return }
        let deadline = slots.retryAt(of: number) ?? expiry(of: number) ?? now.boot
        if deadline > now.boot {
            become(.resting, number, at: now)
            schedule.set(TimerID.entry(slot: number).number, to: deadline)
        } else {
            becomeDue(number, since: deadline, at: now)
        }
    }

    /// Handles the deadline of a resting entry.
    mutating func deadlineReached(_ number: Int, at now: Instant) {
        guard slots.isInUse(number), slots.activity(of: number) == .resting else { return }
        if slots.retryAt(of: number) != nil { change(number, at: now) { $0.retryAt = nil } }
        becomeDue(number, since: expiry(of: number) ?? now.boot, at: now)
    }

    /// - Parameter since: the time since which the entry is overdue; the entries with the earliest time are called
    ///   first.
    mutating func becomeDue(_ number: Int, since: BootTime, at now: Instant) {
        let slot = slots.peek(number)
        if !slot.isWatched, slot.scanAt != nil {
            // The record of a looked-up address has expired, and is not refreshed.
            become(.committing, number, at: now)
            commitQueue.add(.forget(slot.address))
            return
        }
        if slot.activity == .resting { outages.defer() }
        if due.isEmpty { gatherUntil = now.boot + Limits.gather }
        become(.due(since: since), number, at: now)
        let rank: DueQueues.Rank =
            !slot.isWatched ? .lookup : waiters.isAwaited(slot.address) ? .urgent : .background
        due.add(number, rank, since: since)
    }

    /// Adds an entry for an address that is not watched, and queues it for a call.
    mutating func lookUp(_ address: IPAddress, at now: Instant) {
        place(insert(address, Entry(), at: now), at: now)
    }

    /// Removes an entry from the schedule and from the queues.
    mutating func leaveQueues(_ number: Int) {
        schedule.remove(TimerID.entry(slot: number).number)
        due.remove(number)
    }
}
