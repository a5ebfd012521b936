/// The beginning and the end of a run: from restoring the stored state to the last commit.
extension Keeper {
    /// Restores the stored state except the entries, and begins to make calls.
    mutating func restore(_ restored: Restored, at now: Instant) {
        guard phase == .starting else { return }
        phase = .running
        commitQueue.published(through: restored.lastSeq)
        commitQueue.stored(through: restored.lastEntry)
        slots.cohorts.continueIDs(after: restored.lastCohort)
        slots.cohorts.putBack(restored.emptyCohorts)
        for key in restored.unreadableEntries { unreadableEntries[key.address] = key.id }
        restoredCohorts = [:]
        // A quota applies only to the provider that reported it. The configuration may now name a different provider.
        for window in restored.windows where isOfOurProvider(window.provider) {
            quotas[window.endpoint]?.restore(window, at: now.boot)
        }
        for health in restored.health where isOfOurProvider(health.provider) { provider.restore(health, at: now) }
        if let loss = restored.networkLoss { restore(loss, at: now) }
        restoreOutage(restored, at: now)
        retention.restore(restored.historyClock, restored.historyMarks, at: now.boot)
        hasFileEntries = restored.hasFileEntries
        restore(restored.names, at: now)
        logUnloggedAlerts(restored.unloggedAlerts)
        if case .local = settings.providerKind {
            // The databases have been read again, so the failures of the last run do not delay calls.
            provider.retryNow()
        }
        checkRoute()
        resolve(at: now)
    }

    private mutating func restore(_ loss: SavedLoss, at now: Instant) {
        guard connectivity.isNeeded else {
            let message = "records are read from \(settings.providerName), so no route is needed"
            return publishHealth(.networkRestored, message, at: now)
        }
        connectivity.restore(loss, at: now)
        schedule.set(TimerID.resolution.id, to: now.boot + Limits.resolutionRetry)
    }

    /// Logs kept alerts that the last run may not have logged before it was killed.
    private mutating func logUnloggedAlerts(_ alerts: [PublishedEvent]) {
        for alert in alerts where settings.isAlert(alert) { emit(.announce(alert)) }
        isAlertMarkOutdated = !alerts.isEmpty
    }

    /// Whether saved state belongs to the configured provider. Old versions did not save the provider; their state is
    /// assumed to belong to the configured one.
    private func isOfOurProvider(_ endpoint: String?) -> Bool {
        endpoint.map { $0 == settings.providerEndpoint } ?? connectivity.isNeeded
    }

    /// Restores some of the `count` stored entries.
    mutating func restore(_ entries: [SavedEntry], of count: Int, at now: Instant) {
        guard phase == .starting else { return }
        slots.reserveCapacity(count)
        entries.withUnsafeBufferPointer { entries in
            for index in entries.indices { restore(entries[index], at: now) }
        }
    }

    private mutating func restore(_ saved: SavedEntry, at now: Instant) {
        let (address, entry) = (saved.key.address, saved.entry)
        // A lookup without a record is useless.
        guard entry.watch != nil || entry.scan != nil else {
            obsoleteEntries.append(saved.key.id)
            return
        }
        if let other = slots.index(of: address) {
            // Only a database that was edited or repaired can contain an address twice. A watched entry takes
            // precedence over a lookup, and a later entry over an earlier one.
            let (isWatched, id) = (slots.peek(other).isWatched, slots.peek(other).id ?? saved.key.id)
            guard (isWatched ? 1 : 0, id) < (entry.watch != nil ? 1 : 0, saved.key.id) else {
                obsoleteEntries.append(saved.key.id)
                return
            }
            obsoleteEntries.append(id)
            drop(other)
        }
        let cohort = entry.scan.flatMap { scan in saved.cohort.map { restore($0, scan, at: now) } } ?? 0
        let index = insert(address, entry, id: saved.key.id, cohort: cohort, at: now)
        // Local databases are read again at once, because they may have changed.
        if let failure = entry.failure, connectivity.isNeeded {
            let since = min(failure.at.boot, now.boot)
            let delay = Backoff(cap: settings.interval).delay(afterAttempts: failure.attempts, random: &random)
            // If the retry is already due, only the provider and its quota delay the next call.
            let retryAt = since + delay
            if retryAt > now.boot { slots[index].retryAt = retryAt }
        }
        place(index, at: now)
    }

    /// Returns the index of a stored cohort, after restoring the cohort if necessary.
    ///
    /// - Parameter scan: the scan of one of its records.
    private mutating func restore(_ id: CohortID, _ scan: Scan, at now: Instant) -> UInt32 {
        if let known = restoredCohorts[id] { return known }
        var time = scan.at
        // If the time is in the future, the wall clock was or is wrong. The age of the records is unknown, so they
        // count as stale.
        if time.boot > now.boot {
            time.boot = BootTime(nanoseconds: now.boot.nanoseconds - settings.intervalNanoseconds)
        }
        let index = slots.restoreCohort(id, at: time, provider: scan.provider, version: scan.version)
        restoredCohorts[id] = index
        return index
    }

    /// Begins the shutdown: waiting requests are answered at once, and calls in flight get `maxStopTime` to complete.
    mutating func terminate(at now: Instant) {
        guard phase == .running || phase == .starting else { return }
        phase = .stopping
        for index in waiters.callers.keys.sorted() { answerCaller(index, at: now) }
        // Lines that are not in the pending commit are read again at the next startup.
        for request in commitQueue.dropReadings() + readingRequests + previews.flatMap(\.requests) {
            emit(.answer(request, .refused(.storeFailed(Self.stopping))))
        }
        (readingRequests, previews) = ([], [])
        schedule.set(TimerID.stopLimit.id, to: now.boot + Self.maxStopTime)
    }

    /// The reason for refusing a change while the daemon is shutting down.
    static let stopping = "the daemon is stopping"

    /// Time for calls in flight to complete: less than the 5 s within which the daemon exits, to leave time for the
    /// last commit.
    private static let maxStopTime = Duration.seconds(3)

    /// Emits `.finish` if the daemon is shutting down, no call is in flight, and all changes are committed or the
    /// database cannot be written.
    mutating func finishIfDone(at now: Instant) {
        guard phase == .stopping, flights.isEmpty, uncheckedFailures.isEmpty else { return }
        if commitQueue.isIdle, isAlertMarkOutdated, !commitQueue.isFailing {
            // The last commit of this run saves which alerts are logged, so that the next run does not repeat them.
            commitQueue.add(.saveHealth)
            flush(at: now)
        }
        // If the last commit failed, waiting a second longer would not help.
        guard commitQueue.isIdle || commitQueue.isFailing && commitQueue.hasNoCommit else { return }
        phase = .finished
        emit(.finish)
    }
}
