/// Commits: their preparation, and the handling of their result.
extension Keeper {
    /// Continues the commit that is being prepared or applied, as far as the turn allows, and begins the next one if
    /// possible.
    mutating func flush(at now: Instant) {
        guard !isTurnScheduled else { return }
        // After a failure, a commit has to be tried to find out whether the database can be written again.
        if ledger.isFailing, ledger.isIdle { ledger.add(.saveHealth) }
        while changesLeft > 0 {
            guard goOnConcluding(at: now) || goOnDrafting(at: now) else { break }
        }
        if ledger.needsTurn(at: now.boot) {
            isTurnScheduled = true
            emit(.scheduleTurn)
        }
        if let retryAt = ledger.retryAt, ledger.hasNoCommit {
            schedule.set(Alarm.storeRetry.number, to: retryAt)
        }
    }

    /// Prepares pending changes for the commit, and submits it to the store unless a change is only partly prepared.
    ///
    /// - Returns: false if no commit is being prepared and none may begin.
    private mutating func goOnDrafting(at now: Instant) -> Bool {
        let isResumed = ledger.isDrafting
        guard var draft = ledger.detachDrafting() ?? (ledger.mayBegin(at: now.boot) ? ledger.begin() : nil) else {
            return false
        }
        if !isResumed, ledger.isReadingOverdue { _ = goOnReading(in: &draft, at: now) }
        while changesLeft > 0 {
            if goOnWithChange(in: &draft, at: now) {
                continue
            } else if isResumed {
                // A change that took more than one turn is committed without those behind it, so that the size of a
                // commit is bounded.
                break
            } else if let work = ledger.next() {
                draft.works.append(work)
                carry(work, into: &draft, at: now)
            } else if !goOnReading(in: &draft, at: now) {
                break
            }
        }
        guard draft.unfinished == nil else {
            ledger.keepDrafting(draft)
            return true
        }
        ledger.noteReading(of: draft)
        if draft.savesHealth {
            // The state is saved together with the events that led to it, even if they exceed the turn.
            for work in ledger.nextHealthEvents() {
                draft.works.append(work)
                carry(work, into: &draft, at: now)
            }
            saveHealth(in: &draft, at: now)
        }
        guard !draft.writes.isEmpty else {
            // The commit would change nothing, so nothing is written.
            ledger.conclude(draft)
            return true
        }
        upkeepHistory(in: &draft, at: now)
        saveAlertMark(in: &draft)
        emit(.commit(Commit(id: draft.id, writes: draft.detachWrites())))
        ledger.submit(draft)
        return true
    }

    /// Begins to apply a commit that is on disk.
    mutating func committed(_ id: Commit.ID, at now: Instant) {
        guard ledger.committed(id) else { return }
        for endpoint in Call.Endpoint.allCases { quotas[endpoint]?.reservationCommitted() }
        _ = goOnConcluding(at: now)
    }

    /// Refuses the requests that wait for a failed commit or in the commit queue. Everything else is retried.
    mutating func commitFailed(_ id: Commit.ID, _ reason: String, at now: Instant) {
        guard let draft = ledger.failed(id, at: now.boot, random: &random) else { return }
        for endpoint in Call.Endpoint.allCases { quotas[endpoint]?.reservationFailed() }
        let readings = ledger.dismissReadings().filter { !draft.answerOrder.contains($0) }
        for request in draft.answerOrder + ledger.dismissRequests() + readings {
            emit(.answer(request, .refused(.storeFailed(reason))))
        }
        // Alerts are logged nevertheless, because they must not wait until a full disk has space.
        for case .tell(let kind, let at, let message, announced: false) in draft.works {
            emit(.announce(Notice(seq: nil, at: at, kind: kind, message: message)))
        }
    }

    /// Returns the entry as it will be after the pending commit; nil if it will not exist.
    func entry(_ address: IPAddress, in draft: Draft) -> Entry? {
        if let drafted = draft.entries[address] { return drafted }
        return slots.number(of: address).map { slots[$0].entry }
    }

    private mutating func carry(_ work: Work, into draft: inout Draft, at now: Instant) {
        switch work {
        case .request(let request): begin(request, in: &draft)
        case .reply(let addresses, let reply):
            changesLeft -= addresses.count
            carry(reply, for: addresses, into: &draft, at: now)
        case .addressFailed(let address, let failure): carry(failure, of: address, into: &draft, at: now)
        case .forget(let address): carryForgetting(address, into: &draft)
        case .tell(let kind, let at, let message, let announced):
            draft.keep(kind, at: at, message: message)
            if announced { draft.lastIsAnnounced() }
        case .saveHealth: break
        }
        changesLeft -= 1
        if !work.isOnlyOfEntries { draft.savesHealth = true }
    }

    /// Adds the state of the route, the provider, the quotas and unsaved outages to the pending commit.
    private mutating func saveHealth(in draft: inout Draft, at now: Instant) {
        for endpoint in Call.Endpoint.allCases {
            quotas[endpoint]?.reservationBegan()
            if let quota = quotas[endpoint], quota.needsReservation {
                draft.write(.window(quota.saved(by: settings.providerEndpoint, at: now)))
            }
        }
        draft.write(.provider(provider.saved(by: settings.providerEndpoint, at: now)))
        draft.write(.networkLoss(connectivity.loss))
        for outage in outages.unsaved {
            draft.write(.outage(outage))
            if outage.until != nil { draft.endedOutages.insert(outage.number) }
        }
    }

    /// Maintains the history only together with other writes, so that an idle daemon does not wake up for it.
    private mutating func upkeepHistory(in draft: inout Draft, at now: Instant) {
        let upkeep = retention.beginUpkeep(
            keeping: settings.keepHistory, seq: ledger.lastSeq, outage: outages.lastEnded, at: now)
        guard let upkeep else { return }
        draft.historyUpkeep = upkeep
        draft.write(.historyClock(upkeep.clock))
        if let mark = upkeep.newMark { draft.write(.historyMark(mark)) }
        if let expired = upkeep.expired { draft.write(.forgetHistory(through: expired)) }
    }

    /// Saves the seq up to which all alerts are in the journal. These are alerts of earlier commits, each logged once
    /// it was on disk. Alerts of this commit are logged after it. If the process is killed in between, the next run
    /// logs them.
    private func saveAlertMark(in draft: inout Draft) {
        guard isAlertMarkOutdated else { return }
        draft.savesAlertMark = true
        draft.write(.alertsLogged(through: ledger.lastSeq))
    }
}

extension Work {
    /// Whether the pending change leaves the state of the route, the provider and the quotas as it is.
    fileprivate var isOnlyOfEntries: Bool {
        switch self {
        case .request, .forget, .addressFailed: true
        case .reply, .tell, .saveHealth: false
        }
    }
}
