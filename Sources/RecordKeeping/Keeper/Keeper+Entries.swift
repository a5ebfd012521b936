/// Where each entry stands on its way from one record to the next.
extension Keeper {
    /// When an entry's record ends its life; nil without a record.
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

    /// Changes a slot, and keeps the tally right.
    mutating func change(_ number: Int, at now: Instant, _ body: (inout Slots.Slot) -> Void) {
        let old = slots.peek(number)
        tally.remove(old)
        body(&slots[number])
        slots.set(number, category: category(of: number, at: now))
        let new = slots.peek(number)
        tally.add(new)
        catalogue(new, insteadOf: old)
    }

    /// What it is doing changes, and nothing else.
    mutating func become(_ activity: Slots.Activity, _ number: Int, at now: Instant) {
        let old = slots.peek(number).category
        let new = category(of: number, at: now)
        slots.set(number, activity: activity, category: new)
        tally.move(from: old, to: new)
    }

    /// Keeps the order of the list.
    private mutating func catalogue(_ new: PackedSlot?, insteadOf old: PackedSlot?) {
        let (isIn, wasIn) = (new?.isWatched == true ? new : nil, old?.isWatched == true ? old : nil)
        guard wasIn?.isPinned != isIn?.isPinned else { return }
        if let wasIn { catalogue.remove(wasIn.address, isPinned: wasIn.isPinned) }
        if let isIn { catalogue.insert(isIn.address, isPinned: isIn.isPinned) }
    }

    private func category(of number: Int, at now: Instant) -> Tally.Category {
        let slot = slots.peek(number)
        if slot.isSpecialPurpose { return .empty }
        guard let scan = slot.scanAt else { return slots.failure(of: number) == nil ? .unknown : .failed }
        guard now.boot < expiry(ofScanAt: scan) else { return .stale }
        return slot.isEmpty ? .empty : .fresh
    }

    // MARK: Coming and going

    /// A new slot, which rests nowhere yet.
    mutating func insert(_ address: IPAddress, _ entry: Entry, at now: Instant) -> Int {
        let number = slots.insert(address, entry)
        slots.set(number, category: category(of: number, at: now))
        tally.add(slots.peek(number))
        catalogue(slots.peek(number), insteadOf: nil)
        return number
    }

    mutating func drop(_ number: Int) {
        leaveQueues(number)
        tally.remove(slots.peek(number))
        catalogue(nil, insteadOf: slots.peek(number))
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
        switch slots.activity(of: number) {
        case .resting, .due: place(number, at: now)
        case .asked, .settling: break
        }
    }

    /// It is in a call, or the reply to one waits for the disk.
    private func isBeingAnswered(_ number: Int, isSettled: Bool) -> Bool {
        switch slots.activity(of: number) {
        case .resting, .due: false
        case .asked: true
        case .settling: !isSettled
        }
    }

    /// A call or a commit is done with it: it rests until it is due again.
    mutating func rest(_ address: IPAddress, at now: Instant) {
        guard let number = slots.number(of: address), slots.activity(of: number) == .settling else { return }
        let failure = slots.failure(of: number)
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
        switch slots.activity(of: number) {
        case .resting, .due: drop(number)
        case .asked, .settling: break
        }
    }

    func isUseless(_ number: Int) -> Bool {
        let slot = slots.peek(number)
        return !slot.isWatched && slot.scanAt == nil && !audience.isAwaited(slot.address)
    }

    /// Puts an entry that is in no call where it belongs: into the schedule, into a queue, or nowhere.
    mutating func place(_ number: Int, at now: Instant) {
        leaveQueues(number)
        guard !slots.peek(number).isSpecialPurpose else { return }
        let deadline = slots.retryAt(of: number) ?? expiry(of: number) ?? now.boot
        if deadline > now.boot {
            become(.resting, number, at: now)
            schedule.set(Alarm.entry(slot: number).number, to: deadline)
        } else {
            becomeDue(number, since: deadline, at: now)
        }
    }

    /// Its deadline has come.
    mutating func deadlineReached(_ number: Int, at now: Instant) {
        guard slots.isInUse(number), slots.activity(of: number) == .resting else { return }
        if slots.retryAt(of: number) != nil { change(number, at: now) { $0.retryAt = nil } }
        becomeDue(number, since: expiry(of: number) ?? now.boot, at: now)
    }

    /// - Parameter since: since when it has been overdue: who waited longest goes first.
    mutating func becomeDue(_ number: Int, since: BootTime, at now: Instant) {
        let slot = slots.peek(number)
        if !slot.isWatched, slot.scanAt != nil {
            // Looked up an interval ago, and not to be kept.
            become(.settling, number, at: now)
            ledger.add(.forget(slot.address))
            return
        }
        if slot.activity == .resting { outages.defer() }
        if due.isEmpty { gatherUntil = now.boot + Limits.gather }
        become(.due(since: since), number, at: now)
        let rank: DueQueues.Rank =
            !slot.isWatched ? .lookup : audience.isAwaited(slot.address) ? .urgent : .background
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
