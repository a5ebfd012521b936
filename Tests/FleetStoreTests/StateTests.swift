import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Testing

@testable import FleetStore

/// The tables of the current state.
@Suite(.server, .timeLimit(.minutes(2)))
struct StateTests {
    private let fleet: TestFleet
    private let fence: Fence
    private static let instant = Instant(boot: BootTime(nanoseconds: -7), wall: WallTime(milliseconds: 1_700))

    init() async throws {
        fleet = try await TestFleet()
        fence = try await fleet.leader()
    }

    @discardableResult
    private func commit(_ writes: [Commit.Write]) async throws -> JournalRow {
        let row = try await fleet.next(fence)
        try await fleet.observer.perform(.append(row, writes, behind: fence, in: fleet.key)).get()
        return row
    }

    private func rows(_ table: StateTable, pageSize: Int = 1_000) async throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        while true {
            let page = try await fleet.observer.perform(
                .page(of: table, after: rows.last, limit: pageSize, in: fleet.key)
            ).get()
            rows += page
            if page.count < pageSize { return rows }
        }
    }

    private static func key(_ number: Int64) throws -> EntryKey {
        EntryKey(id: EntryID(number: number), address: try IPAddress("192.0.2.\(number)"))
    }

    private static func record(_ city: String) -> RecordKeeping.Record {
        var record = RecordKeeping.Record()
        (record.city, record.offset, record.isp, record.as) = (city, -3_600, "it's;\nan \\isp", "AS1 x")
        (record.lat, record.lon, record.mobile) = (52.123456789, -0.1, true)
        record.zip = "1'2"
        return record
    }

    private static func entry(_ answer: Answer?) -> Entry {
        Entry(
            watch: Watch(byClient: true, isPinned: true, tags: ["a", "\"b\\"], note: "n"),
            scan: answer.map { Scan(answer: $0, at: instant, provider: "p") }, changedAt: WallTime(milliseconds: 5))
    }

    @Test func `the columns are those of the schema`() async throws {
        for table in StateTable.allCases {
            let columns = try await fleet.observer.results(
                .script(
                    """
                    SELECT attname::text, format_type(atttypid, -1) FROM pg_attribute
                    WHERE attrelid = '\(table.name)'::regclass AND attnum > 0 ORDER BY attnum
                    """)
            ).rows
            #expect(columns.dropFirst().map { $0[0] } == table.columnNames.map { .text($0) })
            #expect(columns.dropFirst().map { $0[1] } == table.types.map { .text($0) })
            #expect(columns.first?[0] == .text("fleet"))
        }
    }

    @Test func `records are stored with shared places and networks`() async throws {
        let cohort = CohortID(number: 3)
        var writes: [Commit.Write] = [
            .cohort(cohort, at: Self.instant, provider: "p's", version: DataVersion.ID(number: 8))
        ]
        for number in 1...4 {
            let answer = number == 4 ? Answer.empty(reason: "r") : .record(Self.record("city \(number / 3)"))
            writes.append(.put(try Self.key(Int64(number)), Self.entry(answer), cohort: cohort))
        }
        let row = try await commit(writes)
        let term = SQLValue.integer(fence.term)
        #expect(
            try await rows(.scan) == [[.integer(3), .text("p's"), .integer(1_700), .integer(-7), term, .integer(8)]])
        #expect(
            try await rows(.place).map { $0[7] }.sorted(by: { "\($0)" < "\($1)" }) == [
                .text("city 0"), .text("city 1"),
            ])
        #expect(try await rows(.place)[0][10] == .integer(-3_600))
        let network = try await rows(.network)
        #expect(network.map { Array($0[1...]) } == [[.text("it's;\nan \\isp"), .null, .text("AS1 x"), .null]])
        let records = try await rows(.record, pageSize: 2)
        #expect(records.count == 4 && records[0][3] == records[1][3] && records[0][3] != records[2][3])
        #expect(records.map { $0[4] } == [network[0][0], network[0][0], network[0][0], .null])
        #expect(
            records[0][5...] == [.text("52.123456789"), .text("-0.1"), .text("1'2"), .null, .bool(true), .null, .null])
        #expect(records[3][2...] == [.text("r")] + Array(repeating: .null, count: 9))
        let entry = try await rows(.entry)[1]
        #expect(
            entry[..<9] == [
                .integer(2), .text("192.0.2.2"), .bool(true), .bool(true), .integer(0), .bool(true),
                .text(#"["a","\"b\\"]"#), .text("n"), .integer(5),
            ])
        let view = try await fleet.observer.results(
            .script(
                "SELECT city, \"scannedAt\" FROM iprecord.records WHERE fleet = '\(fleet.name)' ORDER BY address"))
        #expect(view.rows.map { $0[0] } == [.text("city 0"), .text("city 0"), .text("city 1"), .null])
        #expect(row.seq == 1)
    }

    @Test func `an unchanged reply writes one row of the state`() async throws {
        let (first, second) = (CohortID(number: 1), CohortID(number: 2))
        var writes: [Commit.Write] = [.cohort(first, at: Self.instant, provider: "p")]
        for number in 1...100 {
            writes.append(.put(try Self.key(Int64(number)), Self.entry(.record(Self.record("c"))), cohort: first))
        }
        try await commit(writes)
        let before = try await rows(.record)
        let changes = try StateChanges(
            [.cohort(first, at: Self.instant.advanced(by: .seconds(300)), provider: "p")],
            of: .following(.start, fence), in: fleet.key)
        #expect(changes.statements.count == 1)
        try await commit([.cohort(first, at: Self.instant.advanced(by: .seconds(300)), provider: "p")])
        #expect(try await rows(.scan).map { $0[2] } == [.integer(301_700)])
        #expect(try await rows(.record) == before)
        // One record changes, so it belongs to another call.
        try await commit([
            .cohort(second, at: Self.instant, provider: "p"),
            .put(try Self.key(7), Self.entry(.record(Self.record("d"))), cohort: second),
            .move([EntryID(number: 8)], to: second),
        ])
        let after = try await rows(.record)
        #expect(
            after.filter { !before.contains($0) }.map { $0[..<2] } == [
                [.integer(7), .integer(2)], [.integer(8), .integer(2)],
            ])
        try await commit([.move([EntryID(number: 8)], to: first), .removeCohort(second)])
        #expect(try await rows(.scan).count == 1)
    }

    @Test func `a removed entry leaves with its record and its changes, not with its events`() async throws {
        let cohort = CohortID(number: 1)
        let (kept, removed) = (try Self.key(1), try Self.key(2))
        func changed(_ key: EntryKey) -> Commit.Write {
            .event(
                PublishedEvent(
                    seq: 77, at: WallTime(milliseconds: 9), kind: .changed, address: key.address,
                    fields: [FieldChange(field: "city", old: nil, new: "x")], user: .max))
        }
        try await commit([
            .put(kept, Self.entry(.record(Self.record("c"))), cohort: cohort), changed(kept),
            .put(removed, Self.entry(.record(Self.record("c"))), cohort: cohort), changed(removed),
            .event(PublishedEvent(seq: 78, at: WallTime(milliseconds: 9), kind: .networkLost, message: "m")),
        ])
        try await commit([changed(removed), .remove(removed), changed(kept)])
        #expect(try await rows(.entry).map { $0[0] } == [.integer(1)])
        #expect(try await rows(.record).map { $0[0] } == [.integer(1)])
        // Events have the numbers of the journal instead of those of the host, and the route is local to a host.
        #expect(
            try await rows(.notice).map { Array($0[..<5]) } == [
                [.integer(1), .integer(1), .integer(9), .text("changed"), .text("192.0.2.1")],
                [.integer(1), .integer(2), .integer(9), .text("changed"), .text("192.0.2.2")],
                [.integer(2), .integer(1), .integer(9), .text("changed"), .text("192.0.2.2")],
                [.integer(2), .integer(2), .integer(9), .text("changed"), .text("192.0.2.1")],
            ])
        #expect(try await rows(.notice)[0][7] == .integer(Int64(UInt32.max)))
        #expect(
            try await rows(.change, pageSize: 1).map { Array($0[..<3]) } == [
                [.text("192.0.2.1"), .integer(1), .integer(1)], [.text("192.0.2.1"), .integer(2), .integer(2)],
            ])
        // Adding an address again in the commit that removes it.
        try await commit([
            .remove(kept), .put(try Self.key(3), Self.entry(nil), cohort: nil), .removeObsolete(removed.id),
        ])
        #expect(try await rows(.entry).map { $0[0] } == [.integer(3)])
        #expect(try await rows(.record) == [])
        let poll = try await fleet.poll()
        _ = try await fleet.observer.perform(
            .sweep(Sweep(journal: poll.last, outcomes: 0, history: 1, limit: 9), behind: fence, in: fleet.key)
        ).get()
        #expect(try await rows(.notice).map { $0[0] } == [.integer(2), .integer(2)])
    }

    @Test func `the last of several writes of one row remains`() async throws {
        let key = try Self.key(1)
        var entry = Self.entry(nil)
        entry.failure = Failure(kind: .timeout, message: "m", at: Self.instant, attempts: 3)
        try await commit([
            .put(key, Self.entry(.record(Self.record("c"))), cohort: CohortID(number: 1)),
            .put(key, entry, cohort: nil),
        ])
        #expect(
            try await rows(.entry).map { Array($0[9..<15]) } == [
                [.text("timeout"), .text("m"), .integer(3), .integer(1_700), .integer(-7), .integer(fence.term)]
            ])
        #expect(try await rows(.record).count == 1)
    }

    @Test func `a text with a zero byte does not stop the commits`() async throws {
        var entry = Self.entry(.record(Self.record("a\0b")))
        entry.watch?.note = "\0"
        try await commit([
            .cohort(CohortID(number: 1), at: Self.instant, provider: "p\0"),
            .put(try Self.key(1), entry, cohort: CohortID(number: 1)),
            .window(
                SavedWindow(
                    provider: "\0", endpoint: .batch, limit: nil, remaining: nil, resetsAt: nil, length: .seconds(60))),
        ])
        #expect(try await rows(.place).map { $0[7] } == [.text("a\u{FFFD}b")])
        #expect(try await rows(.scan).map { $0[1] } == [.text("p\u{FFFD}")])
        #expect(try await rows(.quotaWindow).map { $0[0] } == [.text("\u{FFFD}")])
        #expect(try await rows(.entry).map { $0[7] } == [.text("\u{FFFD}")])
    }

    @Test func `names, outages, quotas and health are replaced`() async throws {
        let name = try HostName("a.example")
        let addresses = try ["192.0.2.1", "2001:db8::1"].map { try IPAddress($0) }
        for attempt in 1...2 {
            let wall = WallTime(milliseconds: Int64(attempt))
            try await commit([
                .putName(
                    SavedName(
                        name,
                        WatchedName(
                            addresses: addresses, tags: ["t"], note: nil, answeredAt: wall,
                            failure: NameFailure(reason: "r", since: wall)))),
                .window(
                    SavedWindow(
                        provider: "p", endpoint: .batch, limit: 15, remaining: attempt, outstanding: 2,
                        resetsAt: Self.instant, length: .seconds(60), margin: .milliseconds(9))),
                .window(
                    SavedWindow(
                        provider: "p", endpoint: .single, limit: nil, remaining: nil, resetsAt: nil,
                        length: .seconds(60))),
                .health(
                    SavedHealth(
                        provider: "p", endpoint: .batch, state: .failing, since: wall,
                        failure: Failure(kind: .offline, message: "m", at: Self.instant, attempts: attempt),
                        retryAt: Self.instant, isFromRetryAfter: true)),
                .outage(
                    Outage(
                        number: 4, since: WallTime(milliseconds: 5), until: attempt == 1 ? nil : wall, cause: .provider,
                        message: "m", deferred: attempt)),
                .outage(Outage(number: 5, since: wall, cause: .network, message: "local", deferred: 1)),
                .networkLoss(SavedLoss(since: wall, reason: "r")), .alertsLogged(through: 1), .hasFileEntries(true),
                .historyMark(HistoryMark(elapsed: .seconds(1), seq: 1, outage: 1)),
                .historyClock(SavedHistoryClock(elapsed: .seconds(1), at: Self.instant)),
                .forgetHistory(through: HistoryMark(elapsed: .seconds(1), seq: 1, outage: 1)),
            ])
        }
        let term = SQLValue.integer(fence.term)
        #expect(
            try await rows(.hostName) == [
                [
                    .text("a.example"), .text(#"["t"]"#), .null, .integer(2), .text("r"), .integer(2),
                    .text("{192.0.2.1,2001:db8::1}"),
                ]
            ])
        #expect(
            try await rows(.quotaWindow) == [
                [
                    .text("p"), .text("batch"), .integer(15), .integer(2), .integer(2), .integer(60_000),
                    .integer(1_700), .integer(-7), term, .integer(9),
                ],
                [.text("p"), .text("single"), .null, .null, .integer(0), .integer(60_000), .null, .null, .null, .null],
            ])
        #expect(
            try await rows(.endpointHealth) == [
                [
                    .text("p"), .text("batch"), .text("failing"), .integer(2), .text("offline"), .text("m"),
                    .integer(2), .integer(1_700), .integer(-7), term, .integer(1_700), .integer(-7), term, .bool(true),
                ]
            ])
        #expect(try await rows(.outage) == [[.integer(5), .integer(2), .text("m"), .integer(2)]])
        try await commit([.removeName(name)])
        #expect(try await rows(.hostName) == [])
    }

    @Test func `a snapshot shows one position of the journal, whatever is committed meanwhile`() async throws {
        let proposal = UniqueID.random()
        let first = try await fleet.next(fence, outcomes: [ProposalOutcome(id: proposal, reply: [4])])
        try await fleet.observer.perform(
            .append(first, [.put(try Self.key(1), Self.entry(nil), cohort: nil)], behind: fence, in: fleet.key)
        ).get()
        let reader = fleet.connect()
        let head = try await reader.perform(.openSnapshot(outcomesOf: [proposal, .random()], recent: 2, in: fleet.key))
            .get()
        let second = try await commit([.put(try Self.key(2), Self.entry(nil), cohort: nil)])
        #expect(head.cursor == first.cursor && head.outcomes == [ProposalOutcome(id: proposal, reply: [4])])
        #expect(head.fleet.leader == fence.leader && head.server == head.fleet.server)
        let page = try await reader.perform(.page(of: .entry, after: nil, limit: 9, in: fleet.key)).get()
        #expect(page.map { $0[0] } == [.integer(1)])
        try await reader.perform(.closeSnapshot()).get()
        let next = try await reader.perform(.openSnapshot(outcomesOf: [], recent: 9, in: fleet.key)).get()
        #expect(next.recent == [first.cursor, second.cursor])
        #expect(next.starts == [IncarnationStart(number: fence.incarnation.number, row: first.cursor)])
        try await reader.perform(.closeSnapshot()).get()
    }
}
