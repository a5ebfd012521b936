import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// Changes of records, and outages.
@Suite(.timeLimit(.minutes(20))) struct HistoryTests {
    @Test func `changes of an address are returned newest first, in pages`() async throws {
        let (one, two) = (try Sample.address(1), try Sample.address(2))
        let changes = (1...9).map { Sample.change($0, of: $0 % 3 == 0 ? two : one) }
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(changes.map { .event($0) })
            #expect(try await store.changes(of: one).map(\.seq) == [8, 7, 5, 4, 2, 1])
            #expect(try await store.changes(of: one, limit: 2).map(\.seq) == [8, 7])
            #expect(try await store.changes(of: one, before: 7, limit: 2).map(\.seq) == [5, 4])
            #expect(try await store.changes(of: two, before: 3).isEmpty)
            let reported = try #require(try await store.changes(of: two, limit: 1).first)
            #expect(reported.fields == changes[8].fields && reported.at == changes[8].at && reported.address == two)
            // A row that cannot be decoded is skipped, and the next page follows.
            try SQLite(store.path).run("UPDATE change SET fields = '[{' WHERE seq = 8")
            #expect(try await store.changes(of: one).map(\.seq) == [7, 5, 4, 2, 1])
            let page = try await store.changes(ChangeQuery(addresses: [one], limit: 1))
            #expect(page == ChangePage([], next: 8))
            #expect(try await store.changes(of: one, before: page.next, limit: 1).map(\.seq) == [7])
        }
    }

    /// Changes of three addresses and other events. The times are not in order, because the clock was set.
    private static func mixed() throws -> [PublishedEvent] {
        let fields = [["city"], ["isp", "city"], ["isp"], ["org"]]
        return try (1...40).map { (seq: Int64) in
            let address = try Sample.address(Int(seq % 3))
            guard seq % 4 != 0 else {
                return PublishedEvent(seq: seq, at: WallTime(milliseconds: seq), kind: .failed, address: address)
            }
            var event = Sample.change(seq, of: address, at: seq % 7 * 10)
            event.fields = fields[Int(seq % 5) % 4].map {
                FieldChange(
                    field: $0, old: $0 == "isp" ? "A" : nil,
                    new: seq % 6 == 0 && $0 == "isp" ? nil : "\((seq + ($0 == "isp" ? 1 : 0)) % 3)")
            }
            return event
        }
    }

    private static func queries() throws -> [ChangeQuery] {
        let numbers: [[Int]?] = [nil, [0], [1, 2], [0, 1, 2, 9]]
        let times: [Int64?] = [nil, 20, 35]
        let fields: [Set<RecordKeeping.Record.Field>?] = [nil, [.isp], [.city, .org], []]
        let cursors: [Int64?] = [nil, 17]
        let values: [(old: String?, new: String?)] = [(nil, nil), ("A", nil), (nil, "1"), ("", "2"), ("A", "")]
        var queries: [ChangeQuery] = []
        for numbers in numbers {
            let addresses = try numbers?.map { try Sample.address($0) }
            for since in times {
                for until in times {
                    for fields in fields {
                        for before in cursors {
                            for limit in [1, 3, 100] {
                                let query = ChangeQuery(
                                    addresses: addresses, since: since.map { WallTime(milliseconds: $0) },
                                    until: until.map { WallTime(milliseconds: $0) }, fields: fields,
                                    before: before, limit: limit)
                                queries += values.map { value in
                                    var query = query
                                    (query.old, query.new) = value
                                    return query
                                }
                            }
                        }
                    }
                }
            }
        }
        return queries
    }

    private static func model(_ query: ChangeQuery, _ events: [PublishedEvent]) -> [PublishedEvent] {
        let names = query.fields?.map(\.rawValue)
        return events.reversed().compactMap { event in
            guard event.kind == .changed, let seq = event.seq, let address = event.address,
                query.addresses?.contains(address) ?? true, event.at >= query.since ?? event.at,
                event.at <= query.until ?? event.at, seq < query.before ?? .max
            else { return nil }
            guard names != nil || query.old != nil || query.new != nil else { return event }
            var selected = event
            selected.fields = event.fields.filter { change in
                (names?.contains(change.field) ?? true) && (query.old.map { $0 == change.old ?? "" } ?? true)
                    && (query.new.map { $0 == change.new ?? "" } ?? true)
            }
            return selected.fields.isEmpty ? nil : selected
        }
    }

    @Test func `a query selects what its conditions say, newest first, in pages`() async throws {
        let events = try Self.mixed()
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(events.map { .event($0) })
            for query in try Self.queries() {
                let expected = Self.model(query, events)
                let page = try await store.changes(query)
                #expect(page.events == Array(expected.prefix(query.limit)), "\(query)")
                #expect((page.next != nil) == (expected.count > query.limit), "\(query)")
                guard query.limit == 3 else { continue }
                #expect(try await store.allChanges(query) == expected, "\(query)")
            }
        }
    }

    @Test func `the changes of a removed entry are not among those of all entries`() async throws {
        let (one, two) = (try Sample.address(1), try Sample.address(2))
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(Sample.writes(one, Sample.entry()) + [.event(Sample.change(1, of: one))])
            try await store.commit([.event(Sample.change(2, of: two))])
            let key = try #require(try store.restored().entries.first { $0.key.address == one }?.key)
            try await store.commit([.remove(key)])
            #expect(try await store.allChanges(ChangeQuery(limit: 5)).map(\.seq) == [2])
            #expect(try await store.events(after: 0).map(\.seq) == [1, 2], "the events are kept")
        }
    }

    @Test func `one read covers a limited number of events`() async throws {
        let one = try Sample.address(1)
        let others = (2...24_000).map { seq in
            PublishedEvent(seq: seq, at: WallTime(milliseconds: seq), kind: .failed, address: one)
        }
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit([.event(Sample.change(1, of: one))] + others.map { .event($0) })
            var page = try await store.changes(ChangeQuery(limit: 5))
            #expect(page == ChangePage([], next: 14_001))
            page = try await store.changes(ChangeQuery(before: page.next, limit: 5))
            #expect(page == ChangePage([], next: 4_001))
            page = try await store.changes(ChangeQuery(before: page.next, limit: 5))
            #expect(page.events.map(\.seq) == [1] && page.next == nil)
        }
    }

    @Test func `a read of only older changes of addresses ends the search`() async throws {
        let (busy, other) = (try Sample.address(1), try Sample.address(2))
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit((1...24_000).map { .event(Sample.change($0, of: busy, at: $0)) })
            try await store.commit([.event(Sample.change(24_001, of: other, at: 24_001))])
            let late = ChangeQuery(addresses: [busy, other], since: WallTime(milliseconds: 24_001), limit: 5)
            let first = try await store.changes(late)
            #expect(first.events.map(\.seq) == [24_001])
            var next = late
            let before: Int64 = try #require(first.next)
            next.before = before
            #expect(try await store.changes(next) == ChangePage([]))
        }
    }

    @Test func `numbers that a restore skipped cause no work`() async throws {
        let one = try Sample.address(1)
        let seqs: [Int64] = [1, 2, 100_000_003, 100_000_004, 200_000_005]
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(seqs.map { .event(Sample.change($0, of: one)) })
            #expect(try await store.changes(ChangeQuery(limit: 9)).events.map(\.seq) == seqs.reversed())
            let page = try await store.changes(ChangeQuery(before: 150_000_000, limit: 1))
            #expect(page.events.map(\.seq) == [100_000_004] && page.next == 100_000_004)
        }
    }

    @Test func `a read of only older events ends the search`() async throws {
        let one = try Sample.address(1)
        // The clock was behind for a while, and set right before event 12,001.
        let changes = (1...24_000).map { seq in
            Sample.change(seq, of: one, at: seq <= 2_000 || seq > 12_000 ? 1_000 + seq : seq % 500)
        }
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(changes.map { .event($0) })
            func read(since: Int64) async throws -> (count: Int, ends: [Int64?]) {
                var query = ChangeQuery(since: WallTime(milliseconds: since), limit: 10_000)
                var (count, ends) = (0, [Int64?]())
                repeat {
                    let page = try await store.changes(query)
                    count += page.events.count
                    query.before = page.next
                    ends.append(page.next)
                } while query.before != nil
                return (count, ends)
            }
            let late = try await read(since: 20_000)
            #expect(late.count == 5_001 && late.ends == [14_001, nil])
            // Only some of the events of the second read are older.
            let early = try await read(since: 2_500)
            #expect(early.count == 12_501 && early.ends == [14_001, 4_001, nil])
        }
    }

    @Test func `one read of the changes of addresses covers a limited number of rows`() async throws {
        let some = try (0..<4).map { try Sample.address($0) }
        // The first address has most of the changes.
        let changes = (1...12_000).map { seq in
            Sample.change(seq, of: seq % 400 == 0 ? some[1 + Int(seq / 400 % 3)] : some[0])
        }
        let query = ChangeQuery(addresses: some, fields: [.org], limit: 100)
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(changes.map { .event($0) })
            var (before, ends) = (Int64?.none, [Int64]())
            repeat {
                var next = query
                next.before = before
                let page = try await store.changes(next)
                #expect(page.events == [])
                before = page.next
                if let before { ends.append(before) }
            } while before != nil
            // A read covers at most 2,500 changes of each of the four addresses.
            #expect(ends == ends.sorted(by: >) && ends.count == 4, "\(ends)")
            var all = query
            all.fields = nil
            #expect(try await store.allChanges(all) == changes.reversed())
        }
    }

    private static func outage(_ number: Int64, since: Int64, until: Int64?, deferred: Int = 0) -> Outage {
        Outage(
            number: number, since: WallTime(milliseconds: since), until: until.map { WallTime(milliseconds: $0) },
            cause: number % 2 == 0 ? .network : .provider, message: "because \(number)", deferred: deferred)
    }

    @Test func `outages are returned newest first, in pages, each as it was last written`() async throws {
        let folder = try TemporaryFolder()
        let ended = (1...5).map { Self.outage($0, since: $0 * 100, until: $0 * 100 + 50, deferred: Int($0)) }
        let open = Self.outage(6, since: 600, until: nil)
        try await folder.withStore { (store) async throws in
            for outage in ended {
                var begun = outage
                begun.until = nil
                try await store.commit([.outage(begun)])
                try await store.commit([.outage(outage)])
            }
            #expect(try store.restored().outage == nil)
            #expect(try store.restored().lastOutage == 5)
            try await store.commit([.outage(open)])
            #expect(try await store.outages() == [open] + ended.reversed())
            #expect(try await store.outages(limit: 2).map(\.number) == [6, 5])
            #expect(try await store.outages(before: WallTime(milliseconds: 500), limit: 2).map(\.number) == [4, 3])
            try SQLite(store.path).run("UPDATE outage SET cause = 'invented' WHERE number = 4")
            let next = try await store.outages(before: WallTime(milliseconds: 500), limit: 2)
            #expect(next.map(\.number) == [3, 2], "invalid rows are skipped")
            try SQLite(store.path).run("UPDATE outage SET cause = 'network' WHERE number = 4")
        }
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().outage == open)
            #expect(try store.restored().lastOutage == 6)
            try await store.commit([.forgetHistory(through: HistoryMark(elapsed: .zero, seq: 0, outage: 2))])
            #expect(try await store.outages().map(\.number) == [6, 5, 4, 3])
        }
    }

    @Test func `expired changes are found without reading every history`() async throws {
        let folder = try TemporaryFolder()
        try Store(path: folder.database).close()
        let plan = try [Store.expiredAddresses, Store.forgetChanges].flatMap {
            try SQLite(folder.database).rows("EXPLAIN QUERY PLAN \($0.replacing("?", with: "1"))").joined()
        }
        #expect(plan.contains { $0.contains("SEARCH change USING PRIMARY KEY (address=? AND seq<?)") }, "\(plan)")
        #expect(plan.contains { $0.contains("SEARCH notice USING INTEGER PRIMARY KEY (rowid<?)") }, "\(plan)")
    }
}
