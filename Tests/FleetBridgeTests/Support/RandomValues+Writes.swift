import RecordKeeping

extension RandomValues {
    /// The cases of `Commit.Write`.
    enum WriteKind: CaseIterable {
        case cohort, put, move, remove, removeCohort, removeObsolete, putName, removeName, event, forgetHistory
        case historyMark, historyClock, alertsLogged, hasFileEntries, window, health, networkLoss, outage
    }

    /// Returns every case of `Commit.Write` and some more, in random order.
    mutating func writes() -> [Commit.Write] {
        var kinds = WriteKind.allCases + list(20) { $0.kind(WriteKind.self) }
        for index in kinds.indices { kinds.swapAt(index, below(kinds.count)) }
        var cohorts: [(CohortID, Scan)] = []
        return kinds.map { write($0, &cohorts) }
    }

    private mutating func write(_ kind: WriteKind, _ cohorts: inout [(CohortID, Scan)]) -> Commit.Write {
        switch kind {
        case .cohort:
            let (id, scan) = (CohortID(number: anyNumber()), scan())
            cohorts.append((id, scan))
            return .cohort(id, at: scan.at, provider: scan.provider, version: scan.version)
        case .put: return put(cohorts)
        case .move:
            return .move(list(5) { EntryID(number: $0.anyNumber()) }, to: CohortID(number: anyNumber()))
        case .remove: return .remove(key())
        case .removeCohort: return .removeCohort(CohortID(number: anyNumber()))
        case .removeObsolete: return .removeObsolete(EntryID(number: anyNumber()))
        case .putName: return .putName(SavedName(name(), watchedName()))
        case .removeName: return .removeName(name())
        case .event: return .event(event())
        case .forgetHistory: return .forgetHistory(through: mark())
        case .historyMark: return .historyMark(mark())
        case .historyClock: return .historyClock(SavedHistoryClock(elapsed: duration(), at: instant()))
        case .alertsLogged: return .alertsLogged(through: anyNumber())
        case .hasFileEntries: return .hasFileEntries(flag())
        case .window: return .window(window())
        case .health: return .health(health())
        case .networkLoss: return .networkLoss(optional { SavedLoss(since: $0.wall(), reason: $0.text()) })
        case .outage: return .outage(outage())
        }
    }

    mutating func key() -> EntryKey { EntryKey(id: EntryID(number: anyNumber()), address: address()) }

    private mutating func mark() -> HistoryMark {
        HistoryMark(elapsed: duration(), seq: anyNumber(), outage: anyNumber())
    }

    /// An entry, often with a record of a cohort of the same commit.
    private mutating func put(_ cohorts: [(CohortID, Scan)]) -> Commit.Write {
        var entry = Entry(
            watch: optional { $0.watch() }, scan: optional { $0.scan() }, changedAt: optional { $0.wall() },
            failure: optional { $0.failure() }, omissions: list(3) { $0.fieldChange() })
        guard flag(), !cohorts.isEmpty else {
            return .put(key(), entry, cohort: optional { CohortID(number: $0.anyNumber()) })
        }
        let (id, source) = element(of: cohorts)
        entry.scan = Scan(answer: answer(), at: source.at, provider: source.provider, version: source.version)
        return .put(key(), entry, cohort: id)
    }

    private mutating func watch() -> Watch {
        Watch(
            byClient: flag(), byFile: flag(), byName: flag(),
            overrides: element(of: [[], .tags, .note, [.tags, .note]]),
            isPinned: flag(), end: optional { WatchEnd(until: $0.wall(), elapsed: $0.duration()) },
            tags: list(3) { $0.text() }, note: optional { $0.text() })
    }

    private mutating func watchedName() -> WatchedName {
        WatchedName(
            addresses: list(5) { $0.address() }.sorted(), tags: list(2) { $0.text() }, note: optional { $0.text() },
            answeredAt: optional { $0.wall() },
            failure: optional { NameFailure(reason: $0.text(), since: $0.wall()) })
    }

    private mutating func failure() -> Failure {
        Failure(kind: kind(Failure.Kind.self), message: text(), at: instant(), attempts: count())
    }

    private mutating func fieldChange() -> FieldChange {
        FieldChange(field: text(), old: optional { $0.text() }, new: optional { $0.text() })
    }

    private mutating func event() -> PublishedEvent {
        PublishedEvent(
            seq: anyNumber(), at: wall(), kind: kind(PublishedEvent.Kind.self), address: optional { $0.address() },
            fields: list(3) { $0.fieldChange() }, message: optional { $0.text() },
            user: optional { $0.element(of: [0, 1_000, .max]) }, name: optional { $0.name() })
    }

    private mutating func window() -> SavedWindow {
        SavedWindow(
            provider: optional { $0.text() }, endpoint: kind(Call.Endpoint.self), limit: optional { $0.count() },
            remaining: optional { $0.count() }, outstanding: count(), resetsAt: optional { $0.instant() },
            length: duration(), margin: optional { $0.duration() }, isOfEarlierBoot: flag())
    }

    private mutating func health() -> SavedHealth {
        SavedHealth(
            provider: optional { $0.text() }, endpoint: kind(Call.Endpoint.self), state: kind(ProviderState.self),
            since: wall(), failure: optional { $0.failure() }, retryAt: optional { $0.instant() },
            isFromRetryAfter: flag())
    }

    private mutating func outage() -> Outage {
        Outage(
            number: anyNumber(), since: wall(), until: optional { $0.wall() }, cause: kind(Outage.Cause.self),
            message: text(), deferred: count())
    }

    // MARK: Records

    private mutating func scan() -> Scan {
        Scan(
            answer: answer(), at: instant(), provider: text(),
            version: optional { DataVersion.ID(number: $0.anyNumber()) })
    }

    private mutating func answer() -> Answer {
        guard below(4) > 0 else { return .empty(reason: text()) }
        var (place, network) = (Place(), Network())
        for field in Record.Field.allCases where flag() {
            switch field.storage {
            case .place(let path): place[keyPath: path] = text()
            case .offset: place.offset = count()
            case .network(let path): network[keyPath: path] = text()
            case .asn, .degrees, .own, .flag: break
            }
        }
        var record = Record(place: place, network: network)
        (record.lat, record.lon) = (optional { $0.degrees() }, optional { $0.degrees() })
        (record.zip, record.reverse) = (optional { $0.text() }, optional { $0.text() })
        (record.mobile, record.proxy) = (optional { $0.flag() }, optional { $0.flag() })
        record.hosting = optional { $0.flag() }
        return .record(record)
    }

    private mutating func degrees() -> Double {
        element(of: [
            0, -0.0, 90, -180, 52.5244, -0.0001, 1 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
            Double(below(3_600_000) - 1_800_000) / 10_000,
        ])
    }
}
