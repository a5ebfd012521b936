import RecordKeeping

extension BodyReader {
    mutating func write() throws(BodyError) -> Commit.Write {
        switch try code(WriteTag.self, of: "write") {
        case .cohort: return try cohort(isLocal: false)
        case .localCohort: return try cohort(isLocal: true)
        case .put:
            let key = try key()
            let (entry, cohort) = try entry()
            return .put(key, entry, cohort: cohort)
        case .move:
            let cohort = try cohortID()
            let count = try count(of: 1)
            var records: [EntryID] = []
            records.reserveCapacity(count)
            for _ in 0..<count { records.append(try entryID()) }
            return .move(records, to: cohort)
        case .remove: return .remove(try key())
        case .removeCohort: return .removeCohort(try cohortID())
        case .removeObsolete: return .removeObsolete(try entryID())
        case .putName: return .putName(try savedName())
        case .removeName: return .removeName(try name())
        case .event: return .event(try event())
        case .noFileEntries: return .hasFileEntries(false)
        case .fileEntries: return .hasFileEntries(true)
        case .window: return .window(try window())
        case .health: return .health(try health())
        case .outage: return .outage(try outage())
        }
    }

    private mutating func cohort(isLocal: Bool) throws(BodyError) -> Commit.Write {
        let id = try cohortID()
        let (time, provider) = (try instant(), try text())
        let version = isLocal ? DataVersion.ID(number: Int64(bitPattern: try fixed())) : nil
        note(CohortSource(at: time, provider: provider, version: version), of: id)
        return .cohort(id, at: time, provider: provider, version: version)
    }

    private mutating func key() throws(BodyError) -> EntryKey {
        EntryKey(id: try entryID(), address: try address())
    }

    private mutating func savedName() throws(BodyError) -> SavedName {
        let name = try name()
        var watch = WatchedName(addresses: try addresses())
        let label = try label()
        (watch.tags, watch.note) = (label.value.tags, label.value.note)
        let flags = try flags(0b11, of: "flags of a name")
        if flags & 1 != 0 { watch.answeredAt = try wall() }
        if flags & 2 != 0 { watch.failure = NameFailure(reason: try text(), since: try wall()) }
        return SavedName(name, watch)
    }

    private mutating func event() throws(BodyError) -> PublishedEvent {
        let kind = try code(PublishedEvent.Kind.self, of: "event")
        guard !kind.isOfHost else { throw .unknownCode(UInt64(kind.code), of: "event") }
        let flags = try flags(0b11111, of: "flags of an event")
        var event = PublishedEvent(seq: nil, at: try wall(), kind: kind)
        if flags & 1 != 0 { event.address = try address() }
        if flags & 2 != 0 { event.name = try name() }
        if flags & 4 != 0 { event.fields = try fields() }
        if flags & 8 != 0 { event.message = try text() }
        if flags & 16 != 0 { event.user = try user() }
        return event
    }

    private mutating func user() throws(BodyError) -> UInt32 {
        guard let user = UInt32(exactly: try unsigned()) else { throw .outOfRange("user id") }
        return user
    }

    private mutating func window() throws(BodyError) -> SavedWindow {
        let flags = try flags(0b111111, of: "flags of a quota window")
        var window = SavedWindow(
            provider: try optionalText(), endpoint: flags & 1 != 0 ? .batch : .single, limit: nil, remaining: nil,
            resetsAt: nil, length: .zero, isOfEarlierBoot: flags & 32 != 0)
        if flags & 2 != 0 { window.limit = try number() }
        if flags & 4 != 0 { window.remaining = try number() }
        window.outstanding = try number()
        if flags & 8 != 0 { window.resetsAt = try instant() }
        window.length = try duration()
        if flags & 16 != 0 { window.margin = try duration() }
        return window
    }

    private mutating func health() throws(BodyError) -> SavedHealth {
        let flags = try flags(0b1111, of: "flags of an endpoint's health")
        var health = SavedHealth(
            provider: try optionalText(), endpoint: flags & 1 != 0 ? .batch : .single,
            state: try code(ProviderState.self, of: "state of an endpoint"), since: try wall(),
            isFromRetryAfter: flags & 8 != 0)
        if flags & 2 != 0 { health.failure = try failure() }
        if flags & 4 != 0 { health.retryAt = try instant() }
        return health
    }

    private mutating func outage() throws(BodyError) -> Outage {
        let flags = try flags(0b1, of: "flags of an outage")
        let since = try wall()
        let until = flags & 1 != 0 ? try wall() : nil
        return Outage(
            number: 0, since: since, until: until, cause: .provider, message: try text(), deferred: try number())
    }
}
