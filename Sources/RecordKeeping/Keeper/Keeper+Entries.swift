/// Where each entry stands on its way from one record to the next.
extension Keeper {
    /// When an entry's record ends its life; nil without a record.
    func expiry(of entry: Entry) -> BootTime? {
        entry.scan.map { $0.at.boot + settings.interval }
    }

    func isFresh(_ entry: Entry, at now: Instant) -> Bool {
        expiry(of: entry).map { now.boot < $0 } ?? false
    }

    /// Changes a slot, and keeps the tally right.
    mutating func change(_ number: Int, at now: Instant, _ body: (inout Slots.Slot) -> Void) {
        let old = slots[number].entry.watch
        tally.remove(slots[number])
        body(&slots[number])
        slots[number].category = category(of: slots[number], at: now)
        tally.add(slots[number])
        catalogue(slots[number].address, slots[number].entry.watch, insteadOf: old)
    }

    /// Keeps the order of the list.
    private mutating func catalogue(_ address: IPAddress, _ new: Watch?, insteadOf old: Watch?) {
        guard old?.isPinned != new?.isPinned else { return }
        if let old { catalogue.remove(address, isPinned: old.isPinned) }
        if let new { catalogue.insert(address, isPinned: new.isPinned) }
    }

    private func category(of slot: Slots.Slot, at now: Instant) -> Tally.Category {
        if slot.isSpecialPurpose { return .empty }
        guard let scan = slot.entry.scan else { return slot.entry.failure == nil ? .unknown : .failed }
        guard isFresh(slot.entry, at: now) else { return .stale }
        return scan.answer.record == nil ? .empty : .fresh
    }

    // MARK: Coming and going

    /// A new slot, which rests nowhere yet.
    mutating func insert(_ address: IPAddress, _ entry: Entry, at now: Instant) -> Int {
        let number = slots.insert(address, entry)
        slots[number].category = category(of: slots[number], at: now)
        tally.add(slots[number])
        catalogue(address, entry.watch, insteadOf: nil)
        return number
    }

    mutating func drop(_ number: Int) {
        leaveQueues(number)
        tally.remove(slots[number])
        catalogue(slots[number].address, nil, insteadOf: slots[number].entry.watch)
        slots.remove(number)
    }

    /// The disk has this now; nil for an entry that is gone.
    ///
    /// - Parameter isSettled: what was answered about it is on disk with that, too.
    mutating func install(_ address: IPAddress, _ entry: Entry?, isSettled: Bool, at now: Instant) {
        guard let entry else {
            if let number = slots.number(of: address) {
                if isBeingAnswered(number, isSettled: isSettled) {
                    // What the provider says of it is not to be asked for again, should it be back on the list by then.
                    change(number, at: now) { $0.entry = Entry() }
                    return
                }
                drop(number)
            }
            // Somebody asked about it while it went: for them it is looked up like any other.
            if audience.isAwaited(address) { lookUp(address, at: now) }
            return
        }
        guard let number = slots.number(of: address) else {
            place(insert(address, entry, at: now), at: now)
            return
        }
        change(number, at: now) { $0.entry = entry }
        switch slots[number].activity {
        case .resting, .due: place(number, at: now)
        case .asked, .settling: break
        }
    }

    /// It is in a call, or the reply to one waits for the disk.
    private func isBeingAnswered(_ number: Int, isSettled: Bool) -> Bool {
        switch slots[number].activity {
        case .resting, .due: false
        case .asked: true
        case .settling: !isSettled
        }
    }

    /// A call or a commit is done with it: it rests until it is due again.
    mutating func rest(_ address: IPAddress, at now: Instant) {
        guard let number = slots.number(of: address), slots[number].activity == .settling else { return }
        let failure = slots[number].entry.failure
        let delay = failure.map {
            Backoff(cap: settings.interval).delay(afterAttempts: $0.attempts, random: &random)
        }
        change(number, at: now) {
            $0.activity = .resting
            $0.retryAt = delay.map { now.boot + $0 }
            if failure == nil { $0.strikes = 0 }
        }
        place(number, at: now)
    }

    /// Nobody watches it, nothing is known of it and nobody waits for it.
    mutating func dropIfUseless(_ address: IPAddress) {
        guard let number = slots.number(of: address) else { return }
        guard isUseless(number) else { return }
        switch slots[number].activity {
        case .resting, .due: drop(number)
        case .asked, .settling: break
        }
    }

    func isUseless(_ number: Int) -> Bool {
        let slot = slots[number]
        return slot.entry.watch == nil && slot.entry.scan == nil && !audience.isAwaited(slot.address)
    }

    /// Puts an entry that is in no call where it belongs: into the schedule, into a queue, or nowhere.
    mutating func place(_ number: Int, at now: Instant) {
        leaveQueues(number)
        let slot = slots[number]
        guard !slot.isSpecialPurpose else { return }
        let deadline = slot.retryAt ?? expiry(of: slot.entry) ?? now.boot
        if deadline > now.boot {
            change(number, at: now) { $0.activity = .resting }
            schedule.set(Alarm.entry(slot: number).number, to: deadline)
        } else {
            becomeDue(number, since: deadline, at: now)
        }
    }

    /// Its deadline has come.
    mutating func deadlineReached(_ number: Int, at now: Instant) {
        guard slots.isInUse(number), slots[number].activity == .resting else { return }
        change(number, at: now) { $0.retryAt = nil }
        becomeDue(number, since: expiry(of: slots[number].entry) ?? now.boot, at: now)
    }

    /// - Parameter since: since when it has been overdue: who waited longest goes first.
    mutating func becomeDue(_ number: Int, since: BootTime, at now: Instant) {
        let slot = slots[number]
        if slot.entry.watch == nil, slot.entry.scan != nil {
            // Looked up an interval ago, and not to be kept.
            change(number, at: now) { $0.activity = .settling }
            ledger.add(.forget(slot.address))
            return
        }
        if slot.activity == .resting { outages.defer() }
        if due.isEmpty { gatherUntil = now.boot + Limits.gather }
        change(number, at: now) { $0.activity = .due(since: since) }
        let rank: DueQueues.Rank =
            slot.entry.watch == nil ? .lookup : audience.isAwaited(slot.address) ? .urgent : .background
        due.add(number, rank, since: since)
    }

    /// Asks about an address that nobody watches.
    mutating func lookUp(_ address: IPAddress, at now: Instant) {
        place(insert(address, Entry(), at: now), at: now)
    }

    mutating func leaveQueues(_ number: Int) {
        schedule.remove(Alarm.entry(slot: number).number)
        due.remove(number)
    }
}
