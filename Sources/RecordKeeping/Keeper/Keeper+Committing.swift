/// How changes become durable, and what follows once they are.
extension Keeper {
    /// Begins the next commit where one may begin.
    mutating func flush(at now: Instant) {
        // After a failure something has to be tried, to find out whether the disk is well again.
        if ledger.isFailing, ledger.isIdle { ledger.add(.saveHealth) }
        while ledger.mayBegin(at: now.boot) {
            var draft = ledger.begin()
            while draft.writes.count < Ledger.writesPerCommit, let work = ledger.next() {
                draft.works.append(work)
                carry(work, into: &draft, at: now)
            }
            if draft.savesHealth { saveHealth(in: &draft, at: now) }
            guard !draft.writes.isEmpty else {
                // Nothing of it changes anything: no need to bother the disk.
                conclude(draft, at: now)
                continue
            }
            forgetOldNotices(in: &draft, at: now)
            ledger.submit(draft)
            emit(.commit(Commit(id: draft.id, writes: draft.writes)))
        }
        if let retryAt = ledger.retryAt, ledger.underWay == nil {
            schedule.set(Alarm.storeRetry.number, to: retryAt)
        }
    }

    mutating func committed(_ id: Commit.ID, at now: Instant) {
        guard let draft = ledger.committed(id) else { return }
        for endpoint in Call.Endpoint.allCases { quotas[endpoint]?.reservationCommitted() }
        conclude(draft, at: now)
    }

    mutating func commitFailed(_ id: Commit.ID, _ reason: String, at now: Instant) {
        guard let draft = ledger.failed(id, at: now.boot, random: &random) else { return }
        for endpoint in Call.Endpoint.allCases { quotas[endpoint]?.reservationFailed() }
        for request in draft.answerOrder + ledger.dismissReadings() {
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
        case .request(let request): carry(request, into: &draft, at: now)
        case .reply(let addresses, let reply): carry(reply, for: addresses, into: &draft, at: now)
        case .addressFailed(let address, let failure): carry(failure, of: address, into: &draft, at: now)
        case .forget(let address): carryForgetting(address, into: &draft)
        case .listed(let listed, let reading): carry(listed, of: reading, into: &draft, at: now)
        case .onlyListed(let standing, let reading):
            carryUnlisting(allBut: standing, of: reading, into: &draft, at: now)
        case .listsTaken(let request, let reading, let problems):
            carryListsTaken(request, reading, problems, into: &draft)
        case .tell(let kind, let at, let message, let announced):
            draft.keep(kind, at: at, message: message)
            if announced { draft.lastIsAnnounced() }
        case .saveHealth: break
        }
        if !work.isOnlyOfEntries { draft.savesHealth = true }
    }

    /// The draft is on disk: the world is now as it says, and who waits for that is told.
    private mutating func conclude(_ draft: Draft, at now: Instant) {
        let settled = draft.removesSome ? Set(draft.settled) : []
        for address in draft.order {
            install(address, draft.entries[address] ?? nil, isSettled: settled.contains(address), at: now)
        }
        for address in draft.settled { rest(address, at: now) }
        for (reading, changes) in draft.listChanges { listChanges[reading, default: .init()].add(changes) }
        for reading in draft.listsTaken { listChanges[reading] = nil }
        outages.saved(draft.endedOutages)
        for request in draft.answerOrder {
            if let response = draft.answers[request] { emit(.answer(request, response)) }
        }
        for notice in draft.notices {
            if notice.kind.isAlert, notice.seq.map({ !draft.announced.contains($0) }) ?? true {
                emit(.announce(notice))
            }
            tell(notice, at: now)
        }
        for address in draft.settled {
            answerCallers(of: address, at: now)
            dropIfUseless(address)
        }
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

    /// Once an hour at most, and only along with another write: an idle daemon does not wake up for it.
    private mutating func forgetOldNotices(in draft: inout Draft, at now: Instant) {
        if let prunedAt, now.wall - prunedAt < .seconds(3_600), prunedAt <= now.wall { return }
        prunedAt = now.wall
        let (kept, before) = (settings.keepHistory.wholeMilliseconds, now.wall.milliseconds)
        draft.write(.forgetNotices(before: WallTime(milliseconds: before - kept)))
    }
}

extension Work {
    /// It says nothing of the way, the provider or the quota.
    fileprivate var isOnlyOfEntries: Bool {
        switch self {
        case .request, .forget, .listed, .onlyListed, .listsTaken, .addressFailed: true
        case .reply, .tell, .saveHealth: false
        }
    }
}

extension Notice.Kind {
    /// It belongs in the journal.
    var isAlert: Bool {
        switch self {
        case .added, .removed, .refreshed: false
        case .changed, .failed, .recovered: true
        case .networkLost, .networkRestored, .providerFailed, .providerRecovered, .throttled: true
        }
    }
}
