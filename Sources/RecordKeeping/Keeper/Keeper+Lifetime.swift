/// From what the disk held to the last commit.
extension Keeper {
    mutating func restore(_ restored: Restored, at now: Instant) {
        guard phase == .starting else { return }
        phase = .running
        ledger.restore(lastSeq: restored.lastSeq)
        // Nothing that one provider said of its quota holds for another, who may have been named in the configuration since.
        for window in restored.windows where isOfOurProvider(window.provider) {
            quotas[window.endpoint]?.restore(window, at: now.boot)
        }
        if let saved = restored.providers.last(where: { isOfOurProvider($0.endpoint) }) {
            provider.restore(saved, at: now)
        }
        if let loss = restored.networkLoss { connectivity.restore(loss, at: now) }
        restoreOutage(restored, at: now)
        askWay()
        emit(.resolve)
    }

    /// What was written before providers were told apart is taken for the present one's.
    private func isOfOurProvider(_ endpoint: String?) -> Bool {
        endpoint.map { $0 == settings.providerEndpoint } ?? true
    }

    mutating func restore(_ entries: [SavedEntry], of count: Int, at now: Instant) {
        guard phase == .starting else { return }
        slots.reserveCapacity(count)
        entries.withUnsafeBufferPointer { entries in
            for number in entries.indices { restore(entries[number].address, entries[number].entry, at: now) }
        }
    }

    private mutating func restore(_ address: IPAddress, _ entry: Entry, at now: Instant) {
        guard slots.number(of: address) == nil else { return }
        // A wall clock that was set back since would make the record younger than nothing, or last too long.
        if let at = entry.scan?.at.boot, at > now.boot {
            var younger = entry
            younger.scan?.at.boot = now.boot
            return restore(address, younger, at: now)
        }
        let number = insert(address, entry, at: now)
        if let failure = entry.failure {
            let since = min(failure.at.boot, now.boot)
            let delay = Backoff(cap: settings.interval).delay(afterAttempts: failure.attempts, random: &random)
            slots[number].retryAt = since + delay
        }
        place(number, at: now)
    }

    /// What is under way has some time to end; who waits for anything else is answered at once.
    mutating func terminate(at now: Instant) {
        guard phase == .running || phase == .starting else { return }
        phase = .stopping
        for index in audience.callers.keys.sorted() { answerCaller(index, at: now) }
        schedule.set(Alarm.stopLimit.number, to: now.boot + Self.longestStop)
    }

    /// Below the 5 s within which the daemon ends, with room for the last commit.
    private static let longestStop = Duration.seconds(3)

    mutating func finishIfDone() {
        guard phase == .stopping, flights.isEmpty, unjudged.isEmpty else { return }
        // A disk that does not take the last commit does not take it a second later either.
        guard ledger.isIdle || ledger.isFailing && ledger.underWay == nil else { return }
        phase = .finished
        emit(.finish)
    }
}
