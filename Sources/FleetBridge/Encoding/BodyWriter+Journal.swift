import RecordKeeping

extension BodyWriter {
    /// Writes a write that is shared; one of the host has no encoding, and `JournalBody` contains none.
    mutating func write(_ write: Commit.Write) {
        switch write {
        case .cohort(let id, let time, let provider, let version):
            let source = CohortSource(at: time, provider: provider, version: version)
            code(version == nil ? WriteTag.cohort : .localCohort)
            self.id(id)
            instant(time)
            text(provider)
            if let version { fixed(UInt64(bitPattern: version.number)) }
            note(source, of: id)
        case .put(let key, let entry, let cohort):
            code(WriteTag.put)
            self.key(key)
            put(entry, cohort)
        case .move(let records, let cohort):
            code(WriteTag.move)
            id(cohort)
            count(records.count)
            for record in records { id(record) }
        case .remove(let key):
            code(WriteTag.remove)
            self.key(key)
        case .removeCohort(let id):
            code(WriteTag.removeCohort)
            self.id(id)
        case .removeObsolete(let id):
            code(WriteTag.removeObsolete)
            self.id(id)
        case .putName(let saved): put(saved)
        case .removeName(let name):
            code(WriteTag.removeName)
            text(name.description)
        case .event(let event): put(event)
        case .hasFileEntries(let hasFileEntries): code(hasFileEntries ? WriteTag.fileEntries : .noFileEntries)
        case .window(let window): put(window)
        case .health(let health): put(health)
        case .outage(let outage): put(outage)
        case .forgetHistory, .historyMark, .historyClock, .alertsLogged, .networkLoss:
            assertionFailure("a write of the host has no encoding")
        }
    }

    private mutating func key(_ key: EntryKey) {
        id(key.id)
        address(key.address)
    }

    private mutating func put(_ saved: SavedName) {
        let watch = saved.watch
        code(WriteTag.putName)
        text(saved.name.description)
        addresses(watch.addresses)
        label(WatchLabel(tags: watch.tags, note: watch.note))
        flags([watch.answeredAt != nil, watch.failure != nil])
        if let time = watch.answeredAt { wall(time) }
        guard let failure = watch.failure else { return }
        text(failure.reason)
        wall(failure.since)
    }

    private mutating func put(_ event: PublishedEvent) {
        code(WriteTag.event)
        code(event.kind)
        flags([
            event.address != nil, event.name != nil, !event.fields.isEmpty, event.message != nil, event.user != nil,
        ])
        wall(event.at)
        if let address = event.address { self.address(address) }
        if let name = event.name { text(name.description) }
        if !event.fields.isEmpty { fields(event.fields) }
        if let message = event.message { text(message) }
        if let user = event.user { unsigned(UInt64(user)) }
    }

    private mutating func put(_ window: SavedWindow) {
        code(WriteTag.window)
        flags([
            window.endpoint == .batch, window.limit != nil, window.remaining != nil, window.resetsAt != nil,
            window.margin != nil, window.isOfEarlierBoot,
        ])
        text(window.provider)
        if let limit = window.limit { number(limit) }
        if let remaining = window.remaining { number(remaining) }
        number(window.outstanding)
        if let end = window.resetsAt { instant(end) }
        duration(window.length)
        if let margin = window.margin { duration(margin) }
    }

    private mutating func put(_ health: SavedHealth) {
        code(WriteTag.health)
        flags([
            health.endpoint == .batch, health.failure != nil, health.retryAt != nil, health.isFromRetryAfter,
        ])
        text(health.provider)
        code(health.state)
        wall(health.since)
        if let failure = health.failure { self.failure(failure) }
        if let retryAt = health.retryAt { instant(retryAt) }
    }

    private mutating func put(_ outage: Outage) {
        code(WriteTag.outage)
        flags([outage.until != nil])
        wall(outage.since)
        if let until = outage.until { wall(until) }
        text(outage.message)
        number(outage.deferred)
    }
}
