/// Commits: their preparation, and the handling of their result.
extension Keeper {
    /// Continues the commit that is being prepared or applied, as far as the turn allows, and begins the next one if
    /// possible.
    mutating func flush(at now: Instant) {
        guard !isTurnScheduled else { return }
        goOnWithDataChange(at: now)
        // After a failure, only another attempt to commit shows whether the database is writable again.
        if commitQueue.isFailing, commitQueue.isIdle { commitQueue.add(.saveHealth) }
        while changesLeft > 0 {
            guard goOnConcluding(at: now) || continuePreparing(at: now) else { break }
        }
        if commitQueue.needsTurn(at: now.boot) || nextSlotOfDataChange != nil {
            isTurnScheduled = true
            emit(.scheduleTurn)
        }
        if let retryAt = commitQueue.retryAt, commitQueue.hasNoCommit {
            schedule.set(TimerID.storeRetry.id, to: retryAt)
        }
    }

    /// Prepares pending changes for the commit, and submits it to the store unless a change is only partly prepared.
    ///
    /// - Returns: false if no commit is being prepared and none may begin.
    private mutating func continuePreparing(at now: Instant) -> Bool {
        // `detachPreparing` comes first: if the queue were queried before, optimized code would hold a copy of the
        // queue during this function, and the first change of each turn would copy all entries of the commit.
        let isResumed: Bool
        var pending: PendingCommit
        if let preparing = commitQueue.detachPreparing() {
            (isResumed, pending) = (true, preparing)
        } else if commitQueue.mayBegin(at: now.boot) {
            (isResumed, pending) = (false, commitQueue.begin())
        } else {
            return false
        }
        if !isResumed, commitQueue.isReadingOverdue { _ = goOnReading(in: &pending, at: now) }
        while changesLeft > 0 {
            if goOnWithChange(in: &pending, at: now) {
                continue
            } else if isResumed {
                // If a change took more than one turn, later changes go into the next commit, so that the size of a
                // commit is bounded.
                break
            } else if let change = commitQueue.next() {
                pending.changes.append(change)
                apply(change, into: &pending, at: now)
            } else if !goOnReading(in: &pending, at: now) {
                break
            }
        }
        guard pending.unfinished == nil else {
            commitQueue.keepPreparing(pending)
            return true
        }
        commitQueue.noteReading(of: pending)
        if pending.savesHealth {
            // The state is saved together with the events that led to it, even if they exceed the limit of the turn.
            for change in commitQueue.nextHealthEvents() {
                pending.changes.append(change)
                apply(change, into: &pending, at: now)
            }
            saveHealth(in: &pending, at: now)
        }
        guard !pending.writes.isEmpty else {
            // The commit would change nothing, so nothing is written.
            commitQueue.conclude(pending)
            return true
        }
        removeLeftovers(in: &pending)
        upkeepHistory(in: &pending, at: now)
        saveAlertMark(in: &pending)
        counters.commitBegan(at: now.boot)
        emit(.commit(Commit(id: pending.id, writes: pending.detachWrites())))
        commitQueue.submit(pending)
        return true
    }

    /// Begins to apply a commit that is on disk.
    mutating func committed(_ id: Commit.ID, at now: Instant) {
        let wasFailing = commitQueue.isFailing
        guard commitQueue.committed(id) else { return }
        counters.commitEnded(at: now.boot)
        if wasFailing { emit(.logStoreRecovery) }
        for endpoint in Call.Endpoint.allCases { quotas[endpoint]?.reservationCommitted() }
        _ = goOnConcluding(at: now)
    }

    /// Refuses the requests that wait for a failed commit or in the commit queue, and drops the results of resolutions.
    /// Everything else is retried.
    mutating func commitFailed(_ id: Commit.ID, _ reason: String, at now: Instant) {
        guard let pending = commitQueue.failed(id, reason, at: now, random: &random) else { return }
        counters.commitEnded(at: now.boot)
        names.dropResults(at: now.boot)
        releaseCohorts(of: pending)
        slots.cohorts.putBack(pending.removedCohorts)
        obsoleteEntries += pending.obsoleteEntries
        emit(.logStoreFailure(reason: reason))
        for endpoint in Call.Endpoint.allCases { quotas[endpoint]?.reservationFailed() }
        let answered = pending.answers.map(\.request)
        let readings = commitQueue.dismissReadings().filter { !answered.contains($0) }
        for request in answered + commitQueue.dismissRequests() + readings {
            emit(.answer(request, .refused(.storeFailed(reason))))
        }
        announceQueuedEvents()
    }

    /// Logs the alerts for queued events. While commits fail, alerts are logged at once, because they must not wait
    /// until a full disk has space.
    mutating func announceQueuedEvents() {
        for event in commitQueue.announceEvents() { emit(.announce(event)) }
    }

    private mutating func apply(_ change: PendingChange, into pending: inout PendingCommit, at now: Instant) {
        switch change {
        case .request(let request, let end):
            switch request.body {
            case .addNames(let names, let tags, let note):
                apply(.adding(tags: tags, note: note), of: names, for: request, into: &pending, at: now)
            case .removeNames(let names): apply(.removing, of: names, for: request, into: &pending, at: now)
            default: begin(request, end: end, in: &pending)
            }
        case .reply(let addresses, let reply):
            changesLeft -= addresses.count
            apply(reply, for: addresses, into: &pending, at: now)
        case .addressFailed(let address, let failure): apply(failure, of: address, into: &pending, at: now)
        case .forget(let address): applyForgetting(address, into: &pending)
        case .endWatch(let address): applyEnd(of: address, into: &pending, at: now)
        case .nameResolved(let name, let answer, let family, let at):
            applyResolution(of: name, answer, unanswered: family, at: at, into: &pending, at: now)
        case .publish(let kind, let at, let message, let announced):
            pending.keep(kind, at: at, message: message)
            if announced { pending.lastIsAnnounced() }
        case .saveHealth: break
        }
        changesLeft -= 1
        if !change.isOnlyOfEntries { pending.savesHealth = true }
    }

    /// Adds the state of the route, the provider, the quotas and unsaved outages to the pending commit.
    private mutating func saveHealth(in pending: inout PendingCommit, at now: Instant) {
        for endpoint in Call.Endpoint.allCases {
            quotas[endpoint]?.reservationBegan()
            if let quota = quotas[endpoint], quota.needsReservation {
                pending.write(.window(quota.saved(by: settings.providerEndpoint, at: now)))
            }
            let health = provider[endpoint].saved(by: settings.providerEndpoint, as: endpoint, at: now)
            if health.state != .idle { pending.write(.health(health)) }
        }
        pending.write(.networkLoss(connectivity.loss))
        for outage in outages.unsaved {
            pending.write(.outage(outage))
            if outage.until != nil { pending.endedOutages.insert(outage.number) }
        }
    }

    /// Maintains the history only together with other writes, so that an idle daemon does not wake up for it.
    private mutating func upkeepHistory(in pending: inout PendingCommit, at now: Instant) {
        let upkeep = retention.beginUpkeep(
            keeping: settings.keepHistory, seq: commitQueue.lastSeq, outage: outages.lastEnded, at: now)
        guard let upkeep else { return }
        pending.historyUpkeep = upkeep
        pending.write(.historyClock(upkeep.clock))
        if let mark = upkeep.newMark { pending.write(.historyMark(mark)) }
        if let expired = upkeep.expired { pending.write(.forgetHistory(through: expired)) }
    }

    /// Saves the seq up to which all alerts are in the journal. These are alerts of earlier commits, each logged once
    /// its commit was on disk. Alerts of this commit are logged after the commit. If the process is killed in between,
    /// the next run logs them.
    private func saveAlertMark(in pending: inout PendingCommit) {
        guard isAlertMarkOutdated else { return }
        pending.savesAlertMark = true
        pending.write(.alertsLogged(through: commitQueue.lastSeq))
    }
}

extension PendingChange {
    /// Whether the pending change leaves the state of the route, the provider and the quotas unchanged.
    fileprivate var isOnlyOfEntries: Bool {
        switch self {
        case .request, .forget, .endWatch, .addressFailed, .nameResolved: true
        case .reply, .publish, .saveHealth: false
        }
    }
}
