import Testing

@testable import RecordKeeping

/// The rows that a store has after a series of commits, and their comparison with the entries of a keeper.
struct StoredRows {
    private struct Row {
        let address: IPAddress
        var entry: Entry
        /// The cohort of the record; nil without a record.
        var cohort: CohortID?
    }

    private var rows: [EntryID: Row] = [:]
    private var cohorts: [CohortID: (at: Instant, provider: String, version: DataVersion.ID?)] = [:]
    private var lastSeq: Int64 = 0

    var count: Int { rows.count }

    mutating func apply(_ commit: Commit) {
        for write in commit.writes { apply(write) }
        for (id, row) in rows {
            #expect(row.cohort.map { cohorts[$0] != nil } ?? true, "entry \(id.number) refers to a missing cohort")
        }
        let addresses = rows.values.map(\.address)
        #expect(Set(addresses).count == addresses.count, "an address has two entries")
    }

    private mutating func apply(_ write: Commit.Write) {
        switch write {
        case .cohort(let id, let at, let provider, let version): cohorts[id] = (at, provider, version)
        case .put(let key, var entry, let cohort):
            let old = rows[key.id]
            #expect(old == nil || old?.address == key.address, "entry \(key.id.number) has another address")
            // Without a cohort, the stored record is unchanged.
            if cohort == nil { entry.scan = old?.entry.scan }
            rows[key.id] = Row(address: key.address, entry: entry, cohort: cohort ?? old?.cohort)
        case .move(let ids, let cohort):
            for id in ids {
                #expect(rows[id]?.cohort != nil, "entry \(id.number) has no record to move")
                rows[id]?.cohort = cohort
            }
        case .remove(let key):
            #expect(rows.removeValue(forKey: key.id)?.address == key.address, "entry \(key.id.number) is not stored")
        case .removeObsolete(let id): rows[id] = nil
        case .removeCohort(let id):
            #expect(cohorts.removeValue(forKey: id) != nil, "cohort \(id.number) is not stored")
        case .event(let event):
            #expect(event.seq == lastSeq + 1)
            lastSeq += 1
        case .putName, .removeName, .forgetHistory, .historyMark, .historyClock, .alertsLogged, .hasFileEntries,
            .window, .health,
            .networkLoss, .outage:
            break
        }
    }

    /// Expects that a keeper without pending changes has exactly the stored entries.
    func expectAgreement(with keeper: Keeper, sourceLocation: SourceLocation = #_sourceLocation) {
        var rest = rows
        for index in keeper.slots.inUse {
            let slot = keeper.slots.peek(index)
            guard let id = slot.id else {
                #expect(!slot.isWatched && !slot.isAnswered, "\(slot.address)", sourceLocation: sourceLocation)
                continue
            }
            guard let row = rest.removeValue(forKey: id) else {
                Issue.record("\(slot.address) is not stored as \(id.number)", sourceLocation: sourceLocation)
                continue
            }
            var entry = row.entry
            if let cohort = row.cohort.flatMap({ cohorts[$0] }) {
                entry.scan?.at = cohort.at
                entry.scan?.provider = cohort.provider
                entry.scan?.version = cohort.version
            }
            #expect(row.address == slot.address, sourceLocation: sourceLocation)
            #expect(entry == keeper.slots.entry(of: index), "\(slot.address)", sourceLocation: sourceLocation)
            let cohort = slot.cohort == 0 ? nil : keeper.slots.cohorts[slot.cohort].id
            #expect(cohort == row.cohort, "\(slot.address)", sourceLocation: sourceLocation)
        }
        #expect(rest.isEmpty, "not in memory: \(rest.values.map(\.address))", sourceLocation: sourceLocation)
    }
}
