/// How changes become durable, and what follows once they are.
extension Keeper {
    /// Continues the commit that is being drafted or applied, as far as the turn allows, and begins the next one if
    /// that is allowed.
    mutating func flush(at now: Instant) {
        guard !isTurnScheduled else { return }
        // After a failure something has to be tried, to find out whether the disk is well again.
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

    /// Adds work to the draft, and submits it to the store unless a change is only partly drafted.
    ///
    /// - Returns: false if there is no draft and none may begin.
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
                // A change that took more than a turn is committed without those behind it, so that a commit has a bound.
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
            // The state is saved together with the events that led to it, even those that exceed the turn.
            for work in ledger.nextHealthEvents() {
                draft.works.append(work)
                carry(work, into: &draft, at: now)
            }
            saveHealth(in: &draft, at: now)
        }
        guard !draft.writes.isEmpty else {
            // The draft changes nothing, so nothing is written.
            ledger.conclude(draft)
            return true
        }
        upkeepHistory(in: &draft, at: now)
        saveAlertMark(in: &draft)
        emit(.commit(Commit(id: draft.id, writes: draft.detachWrites())))
        ledger.submit(draft)
        return true
    }

    mutating func committed(_ id: Commit.ID, at now: Instant) {
        guard ledger.committed(id) else { return }
        for endpoint in Call.Endpoint.allCases { quotas[endpoint]?.reservationCommitted() }
        _ = goOnConcluding(at: now)
    }

    mutating func commitFailed(_ id: Commit.ID, _ reason: String, at now: Instant) {
        guard let draft = ledger.failed(id, at: now.boot, random: &random) else { return }
        for endpoint in Call.Endpoint.allCases { quotas[endpoint]?.reservationFailed() }
        let readings = ledger.dismissReadings().filter { !draft.answerOrder.contains($0) }
        for request in draft.answerOrder + ledger.dismissRequests() + readings {
            emit(.answer(request, .refused(.storeFailed(reason))))
        }
        // The journal can be told all the same, and it must not wait for a disk that is full.
        for case .tell(let kind, let at, let message, announced: false) in draft.works {
            emit(.announce(Notice(seq: nil, at: at, kind: kind, message: message)))
        }
    }

    /// What the entry will be after the draft; outside of it, what it is.
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

    /// Saves the way, the provider and the windows along with whatever else is written.
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

    /// The upkeep goes along with another write only, so that an idle daemon does not wake up for it.
    private mutating func upkeepHistory(in draft: inout Draft, at now: Instant) {
        let upkeep = retention.beginUpkeep(
            keeping: settings.keepHistory, seq: ledger.lastSeq, outage: outages.lastEnded, at: now)
        guard let upkeep else { return }
        draft.historyUpkeep = upkeep
        draft.write(.historyClock(upkeep.clock))
        if let mark = upkeep.newMark { draft.write(.historyMark(mark)) }
        if let expired = upkeep.expired { draft.write(.forgetHistory(through: expired)) }
    }

    /// Saves up to which event all alerts are in the journal. These are alerts of earlier commits, each logged once it
    /// was on disk. Alerts of this draft are logged after it. If the process is killed in between, the next run logs
    /// them.
    private func saveAlertMark(in draft: inout Draft) {
        guard isAlertMarkOutdated else { return }
        draft.savesAlertMark = true
        draft.write(.alertsLogged(through: ledger.lastSeq))
    }
}

extension Work {
    /// It says nothing of the way, the provider or the quota.
    fileprivate var isOnlyOfEntries: Bool {
        switch self {
        case .request, .forget, .addressFailed: true
        case .reply, .tell, .saveHealth: false
        }
    }
}
