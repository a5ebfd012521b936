/// Applying and publishing a commit that is on disk, in portions of one turn each.
extension Keeper {
    /// Applies as much of the commit that is on disk as the turn allows.
    ///
    /// - Returns: false if there is no such commit.
    mutating func goOnConcluding(at now: Instant) -> Bool {
        guard var draft = ledger.detachConcluding() else { return false }
        while changesLeft > 0, draft.conclusion != .done {
            switch draft.conclusion {
            case .installing(let next): install(from: next, of: &draft, at: now)
            case .resting(let next): rest(from: next, of: &draft, at: now)
            case .publishing(let next): publish(from: next, of: &draft, at: now)
            case .answeringCallers(let next): answerCallers(from: next, of: &draft, at: now)
            case .done: break
            }
        }
        if draft.conclusion != .done { ledger.conclude(draft) }
        return true
    }

    private func portion(_ next: Int, of count: Int) -> Range<Int> {
        next..<min(next + max(1, changesLeft), count)
    }

    private mutating func install(from next: Int, of draft: inout Draft, at now: Instant) {
        let portion = portion(next, of: draft.order.count)
        let settled = draft.removesSome ? Set(draft.settled) : []
        for address in draft.order[portion] {
            install(address, draft.entries[address] ?? nil, isSettled: settled.contains(address), at: now)
        }
        changesLeft -= portion.count
        let isLast = portion.upperBound == draft.order.count
        draft.conclusion = isLast ? .resting(next: 0) : .installing(next: portion.upperBound)
    }

    private mutating func rest(from next: Int, of draft: inout Draft, at now: Instant) {
        let portion = portion(next, of: draft.settled.count)
        // A removed entry does not rest. Its address may have a new entry, which is looked up for requests that wait
        // for it.
        for address in draft.settled[portion] where !draft.removes(address) {
            rest(address, at: now)
            // Later requests wait for the next call of the address.
            let callers = audience.settle(address)
            if !callers.isEmpty { draft.readyCallers[address] = callers }
        }
        changesLeft -= portion.count
        guard portion.upperBound == draft.settled.count else {
            draft.conclusion = .resting(next: portion.upperBound)
            return
        }
        if let reading = draft.reading { ledger.advance(to: reading) }
        if let saved = draft.hasFileEntries { hasFileEntries = saved }
        outages.saved(draft.endedOutages)
        if let upkeep = draft.historyUpkeep { retention.committed(upkeep) }
        // The mark does not include the alerts of this commit, so the flag is reset before they are logged.
        if draft.savesAlertMark { isAlertMarkOutdated = false }
        for request in draft.answerOrder {
            if let response = draft.answers[request] { emit(.answer(request, response)) }
        }
        draft.forgetEntries()
        draft.conclusion = .publishing(next: 0)
    }

    private mutating func publish(from first: Int, of draft: inout Draft, at now: Instant) {
        let cost = 1 + audience.listenerOrder.count / Limits.listenersPerChange
        var next = first
        while next < draft.notices.count, changesLeft > 0 {
            let notice = draft.notices[next]
            if notice.kind.isAlert {
                if notice.seq.map({ !draft.announced.contains($0) }) ?? true { emit(.announce(notice)) }
                isAlertMarkOutdated = true
            }
            publish(notice, at: now)
            // A listener that starts between two portions reads kept events up to this seq, and later ones are
            // published to it.
            if let seq = notice.seq { ledger.published(through: seq) }
            changesLeft -= cost
            next += 1
        }
        let isLast = next == draft.notices.count
        draft.conclusion = isLast ? .answeringCallers(next: 0) : .publishing(next: next)
    }

    private mutating func answerCallers(from next: Int, of draft: inout Draft, at now: Instant) {
        let portion = portion(next, of: draft.settled.count)
        for address in draft.settled[portion] {
            for index in draft.readyCallers[address] ?? [] where audience.isReady(index) {
                answerCaller(index, at: now)
            }
            dropIfUseless(address)
        }
        changesLeft -= portion.count
        let isLast = portion.upperBound == draft.settled.count
        draft.conclusion = isLast ? .done : .answeringCallers(next: portion.upperBound)
    }
}
