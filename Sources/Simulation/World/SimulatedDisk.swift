import RecordKeeping

/// The data on disk. It survives crashes, and contains each commit entirely or not at all.
struct SimulatedDisk {
    private struct Row {
        var entry: Entry
        /// The boot in which the record was fetched, and the boot in which the failure occurred.
        var scanBoot: String
        var failureBoot: String
    }

    private var rows: [IPAddress: Row] = [:]
    private(set) var events: [PublishedEvent] = []
    private var windows: [String?: [Call.Endpoint: (saved: SavedWindow, boot: String)]] = [:]
    private var health: [String?: [Call.Endpoint: (saved: SavedHealth, boot: String)]] = [:]
    private var loss: SavedLoss?
    private var outages: [Int64: Outage] = [:]
    private var lastSeq: Int64 = 0
    private var loggedSeq: Int64 = 0
    private var hasFileEntries: Bool?
    private var historyClock: (saved: SavedHistoryClock, boot: String)?
    private var historyMarks: [HistoryMark] = []
    /// The changes of each watched address, in the order in which they were written.
    private var changes: [IPAddress: [PublishedEvent]] = [:]
    /// The time at which the row of an address was last written or removed.
    private var written: [IPAddress: Moment] = [:]

    /// Writes fail until this moment.
    var failsUntil = Moment.start
    /// Writes are slow until this moment.
    var slowUntil = Moment.start
    /// Reads fail until this moment.
    var readsFailUntil = Moment.start

    /// Ends all faults.
    mutating func heal(at now: Moment) {
        (failsUntil, slowUntil, readsFailUntil) = (min(failsUntil, now), min(slowUntil, now), min(readsFailUntil, now))
    }

    func entry(_ address: IPAddress) -> Entry? { rows[address]?.entry }
    func isWatched(_ address: IPAddress) -> Bool { rows[address]?.entry.watch != nil }
    func lastWrite(of address: IPAddress) -> Moment { written[address] ?? .start }

    /// Whether the limit of a provider's endpoint was reported by a reply and stored.
    func knowsLimit(of endpoint: Call.Endpoint, by provider: String) -> Bool {
        windows[provider]?[endpoint]?.saved.limit != nil
    }

    // MARK: Writing

    /// Writes a commit, and the id of the boot to which its instants belong.
    mutating func write(_ commit: Commit, boot: String, at now: Moment) {
        for write in commit.writes {
            switch write {
            case .put(let address, let entry, let scanReplaced):
                let scanBoot = scanReplaced ? boot : rows[address]?.scanBoot ?? boot
                var stored = entry
                if !scanReplaced { stored.scan = rows[address]?.entry.scan }
                rows[address] = Row(entry: stored, scanBoot: scanBoot, failureBoot: boot)
                written[address] = now
            case .remove(let address):
                rows[address] = nil
                changes[address] = nil
                written[address] = now
            case .event(let event):
                events.append(event)
                if event.kind == .changed, let address = event.address { changes[address, default: []].append(event) }
                lastSeq = max(lastSeq, event.seq ?? 0)
            case .forgetHistory(let mark):
                forgetEvents(through: mark.seq)
                outages = outages.filter { $0.key > mark.outage }
                historyMarks.removeAll { $0.elapsed <= mark.elapsed }
            case .historyMark(let mark): historyMarks.append(mark)
            case .historyClock(let clock): historyClock = (clock, boot)
            case .alertsLogged(let seq): loggedSeq = seq
            case .hasFileEntries(let value): hasFileEntries = value
            case .window(let window): windows[window.provider, default: [:]][window.endpoint] = (window, boot)
            case .health(let saved): health[saved.provider, default: [:]][saved.endpoint] = (saved, boot)
            case .networkLoss(let loss): self.loss = loss
            case .outage(let outage): outages[outage.number] = outage
            }
        }
    }

    /// Deletes events, and the changes of the addresses that have such an event, as the store does.
    private mutating func forgetEvents(through seq: Int64) {
        let expired = events.prefix { ($0.seq ?? 0) <= seq }
        for address in Set(expired.lazy.filter { !$0.fields.isEmpty }.compactMap(\.address)) {
            changes[address]?.removeAll { ($0.seq ?? 0) <= seq }
        }
        events.removeFirst(expired.count)
    }

    // MARK: Reading

    /// Returns kept events, oldest first.
    func events(after: Int64, limit: Int) -> [PublishedEvent] {
        // Events are numbered without gaps, and only the oldest ones are deleted.
        let first = events.first?.seq ?? 0
        return Array(events.dropFirst(max(0, Int(after - first + 1))).prefix(limit))
    }

    /// Returns outages, newest first.
    func outages(before: WallTime?, limit: Int) -> [Outage] {
        let found = outages.values.filter { outage in before.map { outage.since < $0 } ?? true }
        return Array(found.sorted { ($0.since, $0.number) > ($1.since, $1.number) }.prefix(limit))
    }

    /// Returns the changes of an address, newest first.
    func changes(of address: IPAddress, before: Int64?, limit: Int) -> [PublishedEvent] {
        let all = changes[address, default: []].reversed().drop { ($0.seq ?? 0) >= before ?? .max }
        return Array(all.prefix(limit))
    }

    /// Returns the data for the next startup. Instants from another boot are converted using the wall clock, as
    /// `Restored` requires.
    func restored(at now: Instant, boot: String) -> (entries: [SavedEntry], rest: Restored) {
        func seen(_ then: Instant, _ from: String) -> Instant {
            from == boot ? then : then.ofEarlierBoot(seenAt: now)
        }
        func seen(_ failure: Failure?, _ from: String) -> Failure? {
            failure.map { Failure(kind: $0.kind, message: $0.message, at: seen($0.at, from), attempts: $0.attempts) }
        }
        let entries = rows.sorted { $0.key < $1.key }.map { address, row in
            var entry = row.entry
            if let scan = entry.scan { entry.scan?.at = seen(scan.at, row.scanBoot) }
            entry.failure = seen(entry.failure, row.failureBoot)
            return SavedEntry(address, entry)
        }
        let rest = Restored(
            lastSeq: lastSeq, oldestSeq: events.first?.seq,
            windows: windows.values.flatMap(\.values).map { saved, from in
                var window = saved
                window.resetsAt = window.resetsAt.map { seen($0, from) }
                window.isOfEarlierBoot = from != boot
                return window
            },
            health: health.values.flatMap(\.values).map { saved, from in
                var health = saved
                health.failure = seen(saved.failure, from)
                health.retryAt = saved.retryAt.map { seen($0, from) }
                return health
            }, networkLoss: loss, outage: outages.values.filter { $0.until == nil }.max { $0.number < $1.number },
            lastOutage: max(outages.keys.max() ?? 0, historyMarks.last?.outage ?? 0),
            historyClock: historyClock.map { saved, from in
                SavedHistoryClock(elapsed: saved.elapsed, at: saved.at, isOfEarlierBoot: from != boot)
            }, historyMarks: historyMarks,
            unloggedAlerts: events.filter { $0.kind.isAlert && $0.seq ?? 0 > loggedSeq },
            hasFileEntries: hasFileEntries)
        return (entries, rest)
    }
}
