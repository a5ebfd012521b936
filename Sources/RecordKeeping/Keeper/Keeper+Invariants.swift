/// Executable invariants, for tests and simulations.
extension Keeper {
    /// Returns a description of each invariant that does not hold; empty if all hold.
    ///
    /// Must be called between two events. It reads all entries, so it takes time proportional to their number.
    package func checkInvariants() -> [String] {
        var broken: [String] = []
        func expect(_ holds: Bool, _ description: @autoclosure () -> String) {
            if !holds { broken.append(description()) }
        }
        var (counted, scheduled, queued) = (Tally(), 0, 0)
        var cohorts: [UInt32: Int32] = [:]
        for index in slots.inUse {
            let slot = slots.peek(index)
            counted.add(slot)
            let place = place(of: index)
            expect(
                place == expectedPlace(of: slot, at: index, place),
                "\(slot.address) is \(slot.activity), but in \(place)")
            if place.isScheduled { scheduled += 1 }
            if place.queues > 0 {
                let isAwaited = waiters.isAwaited(slot.address)
                expect(
                    due.isAwaited(index) == isAwaited, "\(slot.address) is in the wrong queue; awaited: \(isAwaited)")
            }
            expect(slot.isAnswered == (slot.cohort != 0), "\(slot.address) has only one of answer and cohort")
            expect(!slot.isAnswered || slot.id != nil, "\(slot.address) has an answer, but is not stored")
            if slot.cohort != 0 { cohorts[slot.cohort, default: 0] += 1 }
            queued += place.queues
        }
        expect(counted == tally, "the counts are \(tally), not \(counted)")
        expect(due.count == queued, "the due queues count \(due.count) entries, but contain \(queued)")
        for cohort in commitQueue.heldCohorts { cohorts[cohort, default: 0] += 1 }
        for cohort in slots.cohorts.inUse {
            let (holders, expected) = (slots.cohorts[cohort].holders, cohorts.removeValue(forKey: cohort) ?? 0)
            expect(
                holders == expected && holders > 0, "cohort \(cohort) counts \(holders) holders, but has \(expected)")
        }
        expect(cohorts.isEmpty, "cohorts that do not exist have holders: \(cohorts.keys.sorted())")
        let timers = TimerID.fixed.count { schedule.contains($0.id) }
        expect(
            schedule.count == scheduled + timers + waiters.callers.count,
            "\(schedule.count) deadlines for \(scheduled) entries, \(timers) timers, \(waiters.callers.count) callers")
        for index in waiters.callers.keys {
            expect(schedule.contains(TimerID.caller(index: index).id), "caller \(index) has no deadline")
        }
        for (endpoint, quota) in quotas {
            let inFlight = flights.values.count { $0.call.endpoint == endpoint }
            expect(inFlight == quota.inFlight, "\(inFlight) calls to \(endpoint); the quota counts \(quota.inFlight)")
            broken += quota.shares.checkInvariants(left: quota.window.count.map { $0.remaining - quota.inFlight })
            let health = provider[endpoint]
            expect(health.isFailing || health.alert == .none, "\(endpoint) calls succeed, but there is an alert")
            expect(health.isFailing || health.retryAt == nil, "\(endpoint) calls succeed, but are delayed")
        }
        expect(
            lookupOwners.indices.allSatisfy { slots.isInUse($0) && !slots.peek($0).isWatched },
            "a watched or removed entry counts as a lookup")
        expect(lookupOwners.count <= settings.capacity.lookups, "there are \(lookupOwners.count) lookups")
        expect(
            Set(subscriptions.order) == Set(subscriptions.listeners.keys)
                && subscriptions.order.count == subscriptions.listeners.count,
            "the order of the listeners does not match the listeners")
        expect(listedAddresses() == watchedAddresses(), "the list order does not match the watched entries")
        broken += checkWatchEnds()
        broken += checkNames()
        for index in slots.withOmissions {
            let isValid = slots.isInUse(index) && hasValidOmissions(slots.entry(of: index))
            expect(isValid, "the omitted fields in slot \(index) do not match its record")
        }
        if phase != .starting { broken += checkConnectivity() }
        expect(due.isEmpty || isCallExpected, "no later event would cause calls for \(due.count) due entries")
        return broken
    }

    /// Whether a later event leads to calls for due entries: the end of a call, of a commit or of a wait, or the return
    /// of the route.
    private var isCallExpected: Bool {
        guard phase == .running, connectivity.isOpen, commitQueue.failure == nil else { return true }
        let waits: [TimerID] = [.gathered, .providerRetry, .windowOver(.single), .windowOver(.batch)]
        return !flights.isEmpty || !commitQueue.isIdle || connectivity.check != .none
            || waits.contains { schedule.contains($0.id) }
    }

    /// Returns a description of each invariant of the temporary watches that does not hold.
    private func checkWatchEnds() -> [String] {
        guard phase != .starting else { return [] }
        var broken: [String] = []
        let temporary = slots.inUse.count { slots.entry(of: $0).watch?.end != nil }
        let counted = slots.watchEnds.pendingCount + slots.watchEnds.reachedCount
        if temporary != counted { broken.append("\(temporary) watches have an end, but \(counted) ends are known") }
        if slots.watchEnds.reachedCount > 0, commitQueue.isIdle { broken.append("an ended watch is not being removed") }
        if schedule.contains(TimerID.watchEnd.id) != (awaitsWatchEnd && slots.watchEnds.pendingCount > 0) {
            broken.append("the timer `watchEnd` does not match the \(slots.watchEnds.pendingCount) ends")
        }
        return broken
    }

    /// Returns a description of each invariant of the route's state that does not hold.
    private func checkConnectivity() -> [String] {
        var broken: [String] = []
        func expect(_ holds: Bool, _ description: String) {
            if !holds { broken.append(description) }
        }
        expect(
            schedule.contains(TimerID.doubtOver.id) == connectivity.isDoubted,
            "the timer `doubtOver` does not match the state of the route")
        expect(
            schedule.contains(TimerID.resolution.id) == (connectivity.loss != nil),
            "the timer `resolution` does not match the state of the route")
        if case .doubted(_, _, let doubt) = connectivity.state {
            let canEnd = doubt == .awaitsCheck ? connectivity.check != .none : resolution.state != .idle
            expect(canEnd || phase == .finished, "a loss is in doubt, but no check or resolution is in progress")
        }
        expect(
            uncheckedFailures.isEmpty || connectivity.isUndecided,
            "\(uncheckedFailures.count) failures wait for a route check, but there is none")
        return broken
    }

    /// Whether each omitted field is missing in the record, and had a value before.
    private func hasValidOmissions(_ entry: Entry) -> Bool {
        guard let record = entry.scan?.answer.record else { return false }
        return entry.omissions.allSatisfy { omission in
            let field = Record.Field(rawValue: omission.field)
            return omission.old != nil && omission.new == nil && field.map { record[$0] == nil } ?? false
        }
    }

    /// The references to an entry in the data structures of the keeper.
    private struct Place: Equatable {
        var isScheduled = false
        /// The number of queues of `due` that contain the entry.
        var queues = 0
        /// The number of calls, in flight or with an unchecked failure, that match the entry's activity and contain its
        /// address.
        var calls = 0
        /// Whether a commit is in progress or queued, if the entry's activity is `committing`.
        var isCommitting = false
    }

    private func place(of index: Int) -> Place {
        var place = Place(
            isScheduled: schedule.contains(TimerID.entry(slot: index).id), queues: due.queues(containing: index))
        switch slots.activity(of: index) {
        case .resting, .due: break
        case .asked(let id):
            let address = slots.peek(index).address
            let all = flights.values.map(\.call) + uncheckedFailures.map(\.flight.call)
            place.calls = all.count { $0.id == id && $0.addresses.contains(address) }
        case .committing:
            place.isCommitting = !commitQueue.isIdle
        }
        return place
    }

    private func expectedPlace(of slot: PackedSlot, at index: Int, _ found: Place) -> Place {
        switch slot.activity {
        case .resting: Place(isScheduled: needsDeadline(slot, at: index) ?? found.isScheduled)
        case .due: Place(queues: 1)
        case .asked: Place(calls: 1)
        case .committing: Place(isCommitting: true)
        }
    }

    /// Whether a resting entry needs a deadline; nil if the entry has not been checked since the local databases have
    /// changed.
    private func needsDeadline(_ slot: PackedSlot, at index: Int) -> Bool? {
        if slot.isSpecialPurpose { return false }
        if nextSlotOfDataChange.map({ index >= $0 }) ?? false { return nil }
        // The time does not matter: either a deadline follows from the record and its retries, or there is none.
        return deadline(of: index, at: startedAt) != nil
    }

    private func listedAddresses() -> [IPAddress] {
        var order = listOrder
        return order.positions(after: nil, isPinned: nil, atMost: .max).map(\.address)
    }

    private func watchedAddresses() -> [IPAddress] {
        slots.inUse.map { slots.peek($0) }.filter(\.isWatched).sorted {
            $0.isPinned == $1.isPinned ? $0.address < $1.address : $0.isPinned
        }.map(\.address)
    }
}
