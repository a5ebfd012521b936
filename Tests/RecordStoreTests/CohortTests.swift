import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// Records that were fetched together share the time and the provider of their call.
@Suite(.timeLimit(.minutes(20))) struct CohortTests {
    private static let later = Sample.now.advanced(by: .seconds(300))

    /// Returns the writes of a call that fetched the records of these addresses.
    private static func call(
        _ cohort: Int64, of numbers: ClosedRange<Int>, at time: Instant = Sample.now, provider: String = "ip-api.com"
    ) throws -> [Commit.Write] {
        let id = CohortID(number: cohort)
        let puts = try numbers.map { number in
            let key = Sample.key(try Sample.address(number))
            return Commit.Write.put(key, entry(number, at: time, provider: provider), cohort: id)
        }
        return [.cohort(id, at: time, provider: provider)] + puts
    }

    private static func entry(_ number: Int, at time: Instant, provider: String = "ip-api.com") -> Entry {
        var entry = Sample.entry(note: "note \(number)", scanned: time)
        entry.scan?.provider = provider
        return entry
    }

    /// Returns the entries of these addresses, as restored.
    private static func entries(
        _ numbers: ClosedRange<Int>, at time: Instant, provider: String = "ip-api.com"
    ) throws -> [IPAddress: Entry] {
        Dictionary(
            uniqueKeysWithValues: try numbers.map { (try Sample.address($0), entry($0, at: time, provider: provider)) })
    }

    private static func ids(_ numbers: ClosedRange<Int>) throws -> [EntryID] {
        try numbers.map { Sample.id(of: try Sample.address($0)) }
    }

    /// Returns the cohort of each record by the id of its entry.
    private static func cohorts(_ restored: Found) -> [Int64: Int64] {
        Dictionary(
            uniqueKeysWithValues: restored.entries.compactMap { saved in
                saved.cohort.map { (saved.key.id.number, $0.number) }
            })
    }

    @Test func `the ids of entries and cohorts are restored`() async throws {
        let folder = try TemporaryFolder()
        let (empty, unknown) = (try Sample.address(8), try Sample.address(9))
        let answer = Scan(answer: .empty(reason: "reserved range"), at: Sample.now, provider: "ip-api.com")
        try await folder.withStore { (store) async throws in
            try await store.commit(try Self.call(5, of: 1...3) + Self.call(7, of: 4...4))
            try await store.commit([
                .put(Sample.key(empty), Entry(scan: answer), cohort: CohortID(number: 7)),
                .put(Sample.key(unknown), Entry(watch: Watch(byClient: true)), cohort: nil),
            ])
        }
        try await folder.withStore { (store) async throws in
            let restored = try store.restored()
            #expect(restored.entries.allSatisfy { $0.key.id == Sample.id(of: $0.key.address) })
            #expect(restored.entries.map(\.key.id.number).sorted() == [1, 2, 3, 4, 8, 9])
            #expect(
                Self.cohorts(restored) == [1: 5, 2: 5, 3: 5, 4: 7, 8: 7], "an entry without a record has no cohort")
            #expect(restored.byAddress[empty]?.scan == answer)
            #expect(restored.lastEntry == EntryID(number: 9) && restored.lastCohort == CohortID(number: 7))
            #expect(restored.emptyCohorts.isEmpty)
        }
    }

    @Test(arguments: [1, -1, .max, .min] as [Int64])
    func `the version of the local databases is restored until a remote provider replaces it`(
        number: Int64
    ) async throws {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        var local = Self.entry(1, at: Sample.now, provider: "GeoLite2-City")
        local.scan?.version = DataVersion.ID(number: number)
        try await folder.withStore { try await $0.commit(Sample.writes(address, local)) }
        let remote = Self.entry(1, at: Self.later)
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().byAddress == [address: local])
            try await store.commit(Sample.writes(address, remote))
        }
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().byAddress == [address: remote])
        }
    }

    @Test func `a move changes only the cohort of these records`() async throws {
        let folder = try TemporaryFolder()
        let columns = "id, empty_reason, place, network, lat, lon, zip, reverse, mobile, proxy, hosting"
        let query = "SELECT \(columns) FROM record ORDER BY id"
        try await folder.withStore { (store) async throws in
            let database = try SQLite(folder.database)
            try await store.commit(
                try Self.call(1, of: 1...3) + Self.call(2, of: 4...4, at: Self.later, provider: "pro.ip-api.com"))
            let records = try database.rows(query)
            let others = try database.everything().filter { !$0.hasPrefix("record:") }

            try await store.commit([.move(try Self.ids(2...3), to: CohortID(number: 2))])
            #expect(try database.rows(query) == records)
            #expect(try database.everything().filter { !$0.hasPrefix("record:") } == others)
        }
        try await folder.withStore { (store) async throws in
            let restored = try store.restored()
            #expect(Self.cohorts(restored) == [1: 1, 2: 2, 3: 2, 4: 2])
            let moved = try Self.entries(2...4, at: Self.later, provider: "pro.ip-api.com")
            let expected = try Self.entries(1...1, at: Sample.now).merging(moved) { $1 }
            #expect(restored.byAddress == expected)
        }
    }

    @Test func `an entry without a record cannot be moved`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            let bare = Sample.writes(try Sample.address(3), Entry(watch: Watch(byClient: true)))
            try await store.commit(try Self.call(1, of: 1...1) + Self.call(2, of: 2...2) + bare)
            let before = try SQLite(folder.database).everything()
            try await store.commit([.move([EntryID(number: 3), EntryID(number: 99)], to: CohortID(number: 2))])
            #expect(try SQLite(folder.database).everything() == before)
        }
    }

    @Test func `a cohort that is written again gives all of its records its new time and provider`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit(try Self.call(1, of: 1...3) + Self.call(2, of: 4...5), bootID: Sample.otherBootID)
            let others = try SQLite(folder.database).everything().filter { !$0.hasPrefix("scan:") }
            try await store.commit(
                [.cohort(CohortID(number: 1), at: Self.later, provider: "pro.ip-api.com")], bootID: Sample.otherBootID)
            #expect(try SQLite(folder.database).everything().filter { !$0.hasPrefix("scan:") } == others)
        }
        let written = try Self.entries(1...3, at: Self.later, provider: "pro.ip-api.com")
        let expected = try Self.entries(4...5, at: Sample.now).merging(written) { $1 }
        for _ in 1...2 {
            try await folder.withStore { (store) async throws in
                let restored = try store.restored(bootID: Sample.otherBootID)
                #expect(restored.byAddress == expected)
                #expect(Self.cohorts(restored) == [1: 1, 2: 1, 3: 1, 4: 2, 5: 2])
            }
        }
    }

    @Test func `a cohort that is written again belongs to the boot in which it was written`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit(try Self.call(1, of: 1...2), bootID: Sample.otherBootID)
            try await store.commit([.cohort(CohortID(number: 1), at: Self.later, provider: "ip-api.com")])
        }
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().byAddress == Self.entries(1...2, at: Self.later))
            // In the other boot, the wall clock determines the age.
            let now = Instant(boot: BootTime(nanoseconds: 0), wall: Self.later.wall + .seconds(60))
            let times = try store.restored(at: now, bootID: Sample.otherBootID).entries.map(\.entry.scan?.at.boot)
            #expect(times == Array(repeating: BootTime(nanoseconds: -60_000_000_000), count: 2))
        }
    }

    @Test func `a removed cohort has no row, and a cohort without records is restored as empty`() async throws {
        let folder = try TemporaryFolder()
        let cohorts = [1, 2, 3].map { CohortID(number: $0) }
        try await folder.withStore { (store) async throws in
            try await store.commit(try cohorts.flatMap { try Self.call($0.number, of: 1...1) })
            let others = try SQLite(folder.database).everything().filter { !$0.hasPrefix("scan:") }
            #expect(try store.restored().emptyCohorts == [cohorts[0], cohorts[1]])
            try await store.commit([.removeCohort(cohorts[0])])
            #expect(try SQLite(folder.database).rows("SELECT id FROM scan ORDER BY id") == [["2"], ["3"]])
            #expect(try SQLite(folder.database).everything().filter { !$0.hasPrefix("scan:") } == others)
        }
        try await folder.withStore { (store) async throws in
            let restored = try store.restored()
            #expect(restored.emptyCohorts == [cohorts[1]] && restored.lastCohort == cohorts[2])
            #expect(restored.byAddress == (try Self.entries(1...1, at: Sample.now)))
        }
    }

    @Test func `a removed duplicate leaves the other entry of its address, and the history`() async throws {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        let duplicate = EntryKey(id: EntryID(number: 2), address: address)
        try await folder.withStore { (store) async throws in
            try await store.commit(try Self.call(1, of: 1...1) + [.event(Sample.change(1, of: address))])
            let before = try SQLite(folder.database).everything()
            try await store.commit([.put(duplicate, Self.entry(1, at: Sample.now), cohort: CohortID(number: 1))])
            #expect(try store.restored().entries.map(\.key.address) == [address, address])
            try await store.commit([.removeObsolete(duplicate.id)])
            #expect(try SQLite(folder.database).everything() == before)
            #expect(store.changeCount == 1)
        }
        try await folder.withStore { (store) async throws in
            let restored = try store.restored()
            #expect(restored.entries.map(\.key) == [Sample.key(address)])
            #expect(restored.byAddress == (try Self.entries(1...1, at: Sample.now)))
        }
    }
}
