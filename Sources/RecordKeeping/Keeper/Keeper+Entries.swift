/// The life cycle of an entry: resting, due, in a call, committing.
extension Keeper {
    /// Returns until when the records of a cohort are current.
    @inline(__always)
    func end(of cohort: CohortTable.Row) -> Validity.End {
        validity.end(ofRecordFrom: cohort.at.boot, version: cohort.version)
    }

    func isFresh(_ index: Int, at now: Instant) -> Bool {
        slots.cohort(of: index).map { end(of: $0).isAfter(now.boot) } ?? false
    }

    /// Returns until when a looked-up record is kept: for one interval, and not after it has ceased to be current.
    func retentionEnd(ofScanAt at: Instant, version: DataVersion.ID?) -> BootTime {
        switch validity.end(ofRecordFrom: at.boot, version: version) {
        case .at(let time): time
        case .dataChange: at.boot + settings.interval
        }
    }

    /// Returns the time at which an entry that is not in a call becomes due; nil if only a change to the local
    /// databases makes it due.
    @inline(__always)
    func deadline(of index: Int, at now: Instant) -> BootTime? {
        if let retryAt = slots.retryAt(of: index) { return retryAt }
        guard let cohort = slots.cohort(of: index) else { return now.boot }
        switch end(of: cohort) {
        case .at(let time): return time
        case .dataChange:
            return slots.peek(index).isWatched
                ? nil : retentionEnd(ofScanAt: cohort.at, version: cohort.version)
        }
    }

    /// Changes a slot, and updates the counts and the list order.
    mutating func change(_ index: Int, at now: Instant, _ body: (inout Slots.Slot) -> Void) {
        let old = slots.peek(index)
        tally.remove(old)
        body(&slots[index])
        slots.set(index, category: category(of: index, at: now))
        let new = slots.peek(index)
        tally.add(new)
        if new.isWatched, !lookupOwners.isEmpty { lookupOwners.remove(index) }
        listOrder(new, insteadOf: old)
    }

    /// Changes only the activity of an entry.
    mutating func become(_ activity: Slots.Activity, _ index: Int, at now: Instant) {
        let (old, isWatched) = (slots.peek(index).category, slots.peek(index).isWatched)
        let new = category(of: index, at: now)
        slots.set(index, activity: activity, category: new)
        if old != new { tally.move(from: old, to: new, isWatched: isWatched) }
    }

    /// Updates the list order.
    private mutating func listOrder(_ new: PackedSlot?, insteadOf old: PackedSlot?) {
        let (isIn, wasIn) = (new?.isWatched == true ? new : nil, old?.isWatched == true ? old : nil)
        guard wasIn?.isPinned != isIn?.isPinned else { return }
        if let wasIn { listOrder.remove(wasIn.address, isPinned: wasIn.isPinned) }
        if let isIn { listOrder.insert(isIn.address, isPinned: isIn.isPinned) }
    }

    @inline(__always)
    private func category(of index: Int, at now: Instant) -> Tally.Category {
        let slot = slots.peek(index)
        if slot.isSpecialPurpose { return .empty }
        guard let cohort = slots.cohort(of: index) else { return slots.failure(of: index) == nil ? .unknown : .failed }
        guard end(of: cohort).isAfter(now.boot) else { return .stale }
        return slot.isEmpty ? .empty : .fresh
    }

    // MARK: Adding and removing

    /// Adds an entry without putting it into the schedule or a queue.
    ///
    /// - Parameters:
    ///   - id: its id in the store; nil if it is not stored.
    ///   - cohort: the index of the cohort to which its answer belongs; 0 if it has none.
    mutating func insert(
        _ address: IPAddress, _ entry: Entry, id: EntryID? = nil, cohort: UInt32 = 0, at now: Instant
    ) -> Int {
        let index = slots.insert(address, entry, id: id, cohort: cohort)
        slots.set(index, category: category(of: index, at: now))
        tally.add(slots.peek(index))
        listOrder(slots.peek(index), insteadOf: nil)
        return index
    }

    /// Removes an entry from memory, the schedule and the queues.
    mutating func drop(_ index: Int) {
        leaveQueues(index)
        tally.remove(slots.peek(index))
        if !lookupOwners.isEmpty { lookupOwners.remove(index) }
        listOrder(nil, insteadOf: slots.peek(index))
        slots.remove(index)
    }

    /// Applies an entry that is on disk; nil removes it.
    ///
    /// - Parameter isResolved: whether the result of the address's call is in the same commit.
    mutating func install(
        _ address: IPAddress, _ stored: PendingCommit.PendingEntry?, isResolved: Bool, at now: Instant
    ) {
        guard let stored else {
            if let index = slots.index(of: address) {
                if isBeingAnswered(index, isResolved: isResolved) {
                    // The entry stays until the reply is handled: if the address is added again by then, no second call
                    // is made.
                    change(index, at: now) { ($0.id, $0.entry) = (nil, Entry()) }
                    return
                }
                drop(index)
            }
            // If a request that arrived during the removal waits for the address, the address is looked up.
            lookUpRemoved(address, at: now)
            return
        }
        guard let index = slots.index(of: address) else {
            place(insert(address, stored.entry, id: stored.id, cohort: stored.cohort, at: now), at: now)
            return
        }
        change(index, at: now) { ($0.id, $0.entry, $0.cohort) = (stored.id, stored.entry, stored.cohort) }
        switch slots.activity(of: index) {
        case .resting, .due: place(index, at: now)
        case .asked, .committing: break
        }
    }

    /// Whether the address is in a call, or the result of its call is not on disk yet.
    private func isBeingAnswered(_ index: Int, isResolved: Bool) -> Bool {
        switch slots.activity(of: index) {
        case .resting, .due: false
        case .asked: true
        case .committing: !isResolved
        }
    }

    /// Lets an entry rest until its next deadline, once the result of its call is on disk.
    mutating func rest(_ located: LocatedAddress, at now: Instant) {
        guard let index = slots.index(of: located), slots.activity(of: index) == .committing else { return }
        guard slots.hasFailed(index) else {
            // Nearly all entries take this path. Unpacking them would take most of the time.
            become(.resting, index, at: now)
            place(index, at: now)
            return
        }
        let failure = slots.failure(of: index)
        let delay = failure.map {
            Backoff(cap: settings.interval).delay(afterAttempts: $0.attempts, random: &random)
        }
        change(index, at: now) {
            $0.activity = .resting
            $0.retryAt = delay.map { now.boot + $0 }
            if failure == nil { $0.consecutiveFailures = 0 }
        }
        place(index, at: now)
    }

    /// Removes an entry that is no longer needed, unless it is in a call or committing.
    mutating func dropIfUseless(_ located: LocatedAddress) {
        guard let index = slots.index(of: located) else { return }
        guard isUseless(index) else { return }
        switch slots.activity(of: index) {
        case .resting, .due: drop(index)
        case .asked, .committing: break
        }
    }

    /// Whether the address is not watched and has no record, and no request waits for it.
    func isUseless(_ index: Int) -> Bool {
        let slot = slots.peek(index)
        return !slot.isWatched && !slot.isAnswered && !waiters.isAwaited(slot.address)
    }

    /// Puts an entry that is not in a call into the schedule, or into a queue if it is due. Special-purpose addresses
    /// need neither, and neither do watched records that are current until the local databases change.
    mutating func place(_ index: Int, at now: Instant) {
        let (activity, gatherUntil) = (slots.activity(of: index), gatherUntil)
        leaveQueues(index)
        guard !slots.peek(index).isSpecialPurpose else { return }
        guard let deadline = deadline(of: index, at: now) else { return become(.resting, index, at: now) }
        if deadline > now.boot {
            become(.resting, index, at: now)
            schedule.set(TimerID.entry(slot: index).id, to: deadline)
        } else if case .due(let since) = activity {
            // A change to an entry that is already due, such as new labels, does not postpone the entry's call.
            becomeDue(index, since: min(since, deadline), at: now)
            self.gatherUntil = gatherUntil
        } else {
            becomeDue(index, since: deadline, at: now)
        }
    }

    /// Handles the deadline of a resting entry.
    mutating func deadlineReached(_ index: Int, at now: Instant) {
        guard slots.isInUse(index), slots.activity(of: index) == .resting else { return }
        if slots.retryAt(of: index) != nil { change(index, at: now) { $0.retryAt = nil } }
        becomeDue(index, since: deadline(of: index, at: now) ?? now.boot, at: now)
    }

    /// - Parameter since: the time since which the entry has been overdue; the entries with the earliest time are
    ///   called first.
    mutating func becomeDue(_ index: Int, since: BootTime, at now: Instant) {
        let slot = slots.peek(index)
        if !slot.isWatched, slot.isAnswered {
            // The record of a looked-up address has expired, and is not refreshed.
            become(.committing, index, at: now)
            commitQueue.add(.forget(slot.address))
            return
        }
        if slot.activity == .resting { outages.defer() }
        // Calls to local databases cost nothing, so addresses need not share one.
        if due.isEmpty, case .interval = validity { gatherUntil = now.boot + Limits.gather }
        become(.due(since: since), index, at: now)
        let isAwaited = waiters.isAwaited(slot.address)
        if slot.isWatched {
            due.add(index, isAwaited: isAwaited, since: since)
        } else {
            due.addLookup(index, for: requester(of: index), isAwaited: isAwaited, at: now.boot)
        }
    }

    /// Removes an entry from the schedule and from the queues.
    mutating func leaveQueues(_ index: Int) {
        schedule.remove(TimerID.entry(slot: index).id)
        due.remove(index)
    }
}
