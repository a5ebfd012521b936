import RecordKeeping

/// The data on disk. It survives crashes, and contains each commit entirely or not at all.
struct SimulatedDisk {
    private struct Row {
        let address: IPAddress
        /// The entry; the time and the provider of its record are those of the cohort.
        var entry: Entry
        var cohort: CohortID?
        /// The boot in which the failure occurred.
        var failureBoot: String
    }

    private struct SavedCohort {
        var at: Instant
        var provider: String
        var version: DataVersion.ID?
        var boot: String
        /// The entries whose records belong to the cohort.
        var members: Set<EntryID> = []
    }

    private var rows: [EntryID: Row] = [:]
    private var cohorts: [CohortID: SavedCohort] = [:]
    /// The entry of each address.
    private var ids: [IPAddress: EntryID] = [:]
    /// The number of writes that gave all records of a cohort a new time.
    private(set) var renewedCohorts = 0
    /// The first write that does not match the rows; nil if all have matched.
    private(set) var mismatch: String?
    private(set) var events: [PublishedEvent] = []
    private var windows: [String?: [Call.Endpoint: (saved: SavedWindow, boot: String)]] = [:]
    private var health: [String?: [Call.Endpoint: (saved: SavedHealth, boot: String)]] = [:]
    private var loss: SavedLoss?
    private var outages: [Int64: Outage] = [:]
    private var lastSeq: Int64 = 0
    private var loggedSeq: Int64 = 0
    private var hasFileEntries: Bool?
    /// The watched host names.
    private(set) var names: [HostName: WatchedName] = [:]
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

    func entry(_ address: IPAddress) -> Entry? { ids[address].flatMap { rows[$0] }.map(whole) }

    /// The ends of the temporary watches, with their addresses.
    var watchEnds: [(address: IPAddress, end: WatchEnd)] {
        rows.values.compactMap { row in row.entry.watch?.end.map { (row.address, $0) } }
    }

    /// Returns the time that the retention clock has certainly reached.
    ///
    /// - Parameters:
    ///   - start: the boot time at which the current process started.
    ///   - now: the current boot time.
    func minElapsed(of boot: String, since start: BootTime, at now: BootTime) -> Duration {
        guard let historyClock else { return now - start }
        return historyClock.saved.elapsed + (now - (historyClock.boot == boot ? historyClock.saved.at.boot : start))
    }

    func isWatched(_ address: IPAddress) -> Bool { ids[address].flatMap { rows[$0] }?.entry.watch != nil }

    /// Whether a watched host name has the address.
    func isNamed(_ address: IPAddress) -> Bool { names.values.contains { $0.addresses.contains(address) } }

    /// Returns the addresses whose records belong to a cohort, in ascending order.
    func addresses(of cohort: CohortID) -> [IPAddress] {
        cohorts[cohort]?.members.compactMap { rows[$0]?.address }.sorted() ?? []
    }

    /// Returns an entry with the time and the provider of its record.
    private func whole(_ row: Row) -> Entry {
        var entry = row.entry
        if let cohort = row.cohort.flatMap({ cohorts[$0] }) {
            entry.scan?.at = cohort.at
            entry.scan?.provider = cohort.provider
            entry.scan?.version = cohort.version
        }
        return entry
    }

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
            case .cohort(let id, let at, let provider, let version):
                let members = cohorts[id]?.members ?? []
                if !members.isEmpty { renewedCohorts += 1 }
                cohorts[id] = SavedCohort(
                    at: at, provider: provider, version: version, boot: boot, members: members)
                for address in addresses(of: id) { written[address] = now }
            case .put(let key, let entry, let cohort):
                put(key, entry, cohort, boot: boot)
                written[key.address] = now
            case .move(let records, let cohort):
                move(records, to: cohort)
                for address in records.compactMap({ rows[$0]?.address }) { written[address] = now }
            case .remove(let key):
                remove(key)
                changes[key.address] = nil
                written[key.address] = now
            case .removeCohort(let id):
                expect(cohorts[id]?.members.isEmpty == true, "cohort \(id.number) is removed, but has records")
                cohorts[id] = nil
            case .removeObsolete(let id): expect(false, "entry \(id.number) is not obsolete")
            case .putName(let saved): names[saved.name] = saved.watch
            case .removeName(let name):
                expect(names[name] != nil, "\(name) is not stored")
                names[name] = nil
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

    private mutating func put(_ key: EntryKey, _ entry: Entry, _ cohort: CohortID?, boot: String) {
        let known = ids[key.address]
        expect(known == nil || known == key.id, "\(key.address) has two entries")
        let old = rows[key.id]
        expect(old.map { $0.address == key.address } ?? true, "entry \(key.id.number) has two addresses")
        var row = Row(address: key.address, entry: entry, cohort: old?.cohort, failureBoot: boot)
        if cohort == nil { row.entry.scan = old?.entry.scan }
        ids[key.address] = key.id
        rows[key.id] = row
        if let cohort { move([key.id], to: cohort) }
    }

    private mutating func move(_ records: [EntryID], to cohort: CohortID) {
        expect(cohorts[cohort] != nil, "there is no cohort \(cohort.number)")
        for id in records {
            expect(rows[id]?.entry.scan != nil, "entry \(id.number) has no record")
            if let old = rows[id]?.cohort { cohorts[old]?.members.remove(id) }
            rows[id]?.cohort = cohort
            cohorts[cohort]?.members.insert(id)
        }
    }

    private mutating func remove(_ key: EntryKey) {
        expect(ids[key.address] == key.id, "\(key.address) is not entry \(key.id.number)")
        if let cohort = rows[key.id]?.cohort { cohorts[cohort]?.members.remove(key.id) }
        rows[key.id] = nil
        ids[key.address] = nil
    }

    private mutating func expect(_ holds: Bool, _ description: @autoclosure () -> String) {
        if !holds, mismatch == nil { mismatch = description() }
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

    /// Returns kept events of a host name, newest first.
    func events(of name: HostName, before: Int64?, limit: Int) -> [PublishedEvent] {
        Array(events.reversed().filter { $0.name == name && $0.seq ?? 0 < before ?? .max }.prefix(limit))
    }

    /// Returns changes, newest first.
    func changes(_ query: ChangeQuery) -> ChangePage {
        let all = query.addresses.map { $0.map { changes[$0, default: []] } } ?? Array(changes.values)
        let selected = all.joined().filter { event in
            (event.seq ?? 0) < query.before ?? .max && event.at >= query.since ?? event.at
                && event.at <= query.until ?? event.at
                && (!query.selectsFields || event.fields.contains { query.selects($0) })
        }
        let page = selected.sorted { $0.seq ?? 0 > $1.seq ?? 0 }.prefix(query.limit)
        return ChangePage(Array(page), next: selected.count > page.count ? page.last?.seq : nil)
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
        let entries = rows.sorted { $0.key < $1.key }.map { id, row in
            var entry = whole(row)
            if let cohort = row.cohort.flatMap({ cohorts[$0] }) { entry.scan?.at = seen(cohort.at, cohort.boot) }
            entry.failure = seen(entry.failure, row.failureBoot)
            // The store keeps only the addresses of the names.
            entry.watch?.byName = false
            return SavedEntry(EntryKey(id: id, address: row.address), entry, cohort: row.cohort)
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
            hasFileEntries: hasFileEntries, lastEntry: rows.keys.max() ?? EntryID(number: 0),
            lastCohort: cohorts.keys.max() ?? CohortID(number: 0),
            emptyCohorts: cohorts.filter(\.value.members.isEmpty).keys.sorted(),
            names: names.sorted { $0.key < $1.key }.map { SavedName($0.key, $0.value) })
        return (entries, rest)
    }
}
