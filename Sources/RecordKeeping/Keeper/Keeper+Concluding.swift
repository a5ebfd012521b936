/// Applying and publishing a commit that is on disk, in portions of one turn each.
extension Keeper {
    /// Applies as much of the commit that is on disk as the turn allows.
    ///
    /// - Returns: false if there is no such commit.
    mutating func goOnConcluding(at now: Instant) -> Bool {
        guard var pending = commitQueue.detachConcluding() else { return false }
        while changesLeft > 0, pending.conclusion != .done {
            switch pending.conclusion {
            case .installing(let next): install(from: next, of: &pending, at: now)
            case .resting(let next): rest(from: next, of: &pending, at: now)
            case .publishing(let next): publish(from: next, of: &pending, at: now)
            case .answeringCallers(let next): answerCallers(from: next, of: &pending, at: now)
            case .done: break
            }
        }
        if pending.conclusion != .done { commitQueue.conclude(pending) }
        return true
    }

    private func portion(_ next: Int, of count: Int) -> Range<Int> {
        next..<min(next + max(1, changesLeft), count)
    }

    private mutating func install(from next: Int, of pending: inout PendingCommit, at now: Instant) {
        if next == 0 { cohortsStored(by: pending) }
        let portion = portion(next, of: pending.order.count)
        let resolved = pending.removesSome ? Set(pending.resolved.map(\.address) + pending.calledAgain) : []
        for located in pending.order[portion] {
            let address = located.address
            if let entry = pending.entries[address] {
                install(address, entry, isResolved: resolved.contains(address), at: now)
            } else if let index = slots.index(of: located), let cohort = pending.moved[index] {
                slots.setCohort(of: index, to: cohort)
            }
            if let noted = pending.digests[address], let index = slots.index(of: address) {
                slots.set(index, digest: noted.digest)
            }
        }
        changesLeft -= portion.count
        guard portion.upperBound == pending.order.count else {
            pending.conclusion = .installing(next: portion.upperBound)
            return
        }
        releaseCohorts(of: pending)
        installNames(of: pending, at: now)
        pending.conclusion = .resting(next: 0)
    }

    private mutating func rest(from next: Int, of pending: inout PendingCommit, at now: Instant) {
        let portion = portion(next, of: pending.resolved.count)
        // A removed entry is not returned to the schedule. Its address may have a new entry, because requests that wait
        // for the address cause a new lookup.
        for located in pending.resolved[portion] where !pending.removes(located.address) {
            rest(located, at: now)
            // If the record has expired before it was on disk, its callers wait for the next one.
            if let index = slots.index(of: located), slots.activity(of: index) != .resting { continue }
            // Requests that arrive later wait for the next call for the address.
            let callers = endWaits(for: located.address)
            if !callers.isEmpty { pending.readyCallers[located.address] = callers }
        }
        changesLeft -= portion.count
        guard portion.upperBound == pending.resolved.count else {
            pending.conclusion = .resting(next: portion.upperBound)
            return
        }
        for address in pending.calledAgain where !pending.removes(address) {
            guard let index = slots.index(of: address), slots.activity(of: index) == .committing else { continue }
            if isUseless(index) { drop(index) } else { becomeDue(index, since: now.boot, at: now) }
        }
        if let reading = pending.reading { commitQueue.advance(to: reading) }
        if let saved = pending.hasFileEntries { hasFileEntries = saved }
        outages.saved(pending.endedOutages)
        if let upkeep = pending.historyUpkeep { retention.committed(upkeep) }
        // The mark does not include the alerts of this commit, so the flag is reset before they are logged.
        if pending.savesAlertMark { isAlertMarkOutdated = false }
        for (request, response) in pending.answers { emit(.answer(request, response)) }
        pending.forgetEntries()
        pending.conclusion = .publishing(next: 0)
    }

    private mutating func publish(from first: Int, of pending: inout PendingCommit, at now: Instant) {
        let cost = 1 + subscriptions.order.count / Limits.listenersPerChange
        var next = first
        while next < pending.events.count, changesLeft > 0 {
            let event = pending.events[next]
            if event.kind.isAlert {
                let isLogged = event.seq.map { pending.announced.contains($0) } ?? false
                if !isLogged, settings.isAlert(event) { emit(.announce(event)) }
                // The mark also covers changes that are not alerts. Otherwise, the next run would log them if the
                // configuration made them alerts.
                isAlertMarkOutdated = true
            }
            counters.published(event.kind)
            publish(event, at: now)
            // A listener that starts between two portions reads kept events up to this seq, and later events are
            // published to it.
            if let seq = event.seq { commitQueue.published(through: seq) }
            changesLeft -= cost
            next += 1
        }
        let isLast = next == pending.events.count
        pending.conclusion = isLast ? .answeringCallers(next: 0) : .publishing(next: next)
    }

    private mutating func answerCallers(from next: Int, of pending: inout PendingCommit, at now: Instant) {
        let portion = portion(next, of: pending.resolved.count)
        for located in pending.resolved[portion] {
            for index in pending.readyCallers[located.address] ?? [] where waiters.isReady(index) {
                answerCaller(index, at: now)
            }
            dropIfUseless(located)
        }
        changesLeft -= portion.count
        let isLast = portion.upperBound == pending.resolved.count
        pending.conclusion = isLast ? .done : .answeringCallers(next: portion.upperBound)
    }
}
