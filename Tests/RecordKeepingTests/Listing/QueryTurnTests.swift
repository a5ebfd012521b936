import Testing

@testable import RecordKeeping

/// Counts that take several turns, with changes between the turns.
struct QueryTurnTests {
    /// Three turns of entries.
    private static let many = 2 * Limits.entriesPerCount + 1_000

    private static func record(asn: Int, isp: String) -> Record {
        var record = Record()
        record.as = "AS\(asn) \(isp)"
        record.isp = isp
        return record
    }

    private static func entry(_ record: Record?, at time: Instant = KeeperHarness.start) -> Entry {
        let scan = record.map { Scan(answer: .record($0), at: time, provider: "mock") }
        return Entry(watch: Watch(byClient: true), scan: scan)
    }

    private static func harness(_ entries: [(IPAddress, Entry)]) -> KeeperHarness {
        KeeperHarness(ignoring: .all, settings: .unlimitedProvider, entries: storedEntries(entries))
    }

    /// Returns the last response to a request, after all turns.
    ///
    /// - Parameter between: called after each turn but the last, with the number of turns so far.
    private func response(
        _ harness: KeeperHarness, _ body: Request.Body, between: (Int) -> Void = { _ in }
    ) throws -> Response {
        var (id, effects) = harness.ask(body)
        for turn in 1..<100 {
            if let response = effects.answer(to: id) { return response }
            try #require(effects.contains(.resume(id)))
            between(turn)
            effects = harness.handle(.resumed(id))
        }
        throw Endless()
    }

    private struct Endless: Error {}

    private func counts(
        _ harness: KeeperHarness, by key: CountKey, between: (Int) -> Void = { _ in }
    ) throws -> (groups: [String: Int], total: Int) {
        let query = CountQuery(key: key, limit: Limits.groupsPerReply)
        guard case .counts(let counts) = try response(harness, .count(query), between: between) else { throw Endless() }
        #expect(counts.others == 0)
        return (Dictionary(uniqueKeysWithValues: counts.groups.map { ($0.key, $0.count) }), counts.total)
    }

    // MARK: Interned values

    /// A harness in which some entries of the first turn have networks of their own, and some entries of the second
    /// turn wait for their first record.
    private struct NewNetworks {
        static let count = 1_500
        /// Time until the records of the first turn expire. The records of removed entries are kept until then.
        private static let rest = Duration.seconds(1)
        let harness: KeeperHarness
        let all = addresses(QueryTurnTests.many)
        private var calls: [Call]

        init() {
            let all = all
            let early = KeeperHarness.start.advanced(by: Self.rest - Settings.unlimitedProvider.interval)
            let harness = QueryTurnTests.harness(
                all.enumerated().map { number, address in
                    let isFirst = number < Self.count
                    let isLate = (Limits.entriesPerCount..<Limits.entriesPerCount + Self.count).contains(number)
                    let own = isFirst ? record(asn: 10_000 + number, isp: "M \(number)") : record(asn: 1, isp: "Z")
                    return (address, entry(isLate ? nil : own, at: isFirst ? early : KeeperHarness.start))
                })
            self.harness = harness
            calls = harness.log.calls + harness.pass(Limits.gather).calls
        }

        /// Removes the entries whose networks are their own, so that the indices of the networks may be reused.
        func removeFirst() {
            harness.ask(.remove(Array(all[..<Self.count])))
            harness.pass(Self.rest)
        }

        /// Gives each of the waiting entries a network of its own.
        mutating func reply() {
            while let call = calls.popLast() {
                let answers = call.addresses.map { address in
                    let number = Int(address.low & 0xFFFF)
                    let record = record(asn: 20_000 + number, isp: "A \(number)")
                    return (address, ElementAnswer.answered(.record(record)))
                }
                let reply = Reply(
                    sentAt: harness.now, answers: Dictionary(uniqueKeysWithValues: answers),
                    quota: ReportedQuota(remaining: nil, resetsIn: nil))
                calls += harness.handle(.replied(call.id, reply)).calls
            }
        }

        var generation: Int { harness.keeper.internedValues.networks.generation }
    }

    @Test(arguments: [false, true])
    func `a network that is added between two turns of a count has its own group`(reusesIndices: Bool) throws {
        var networks = NewNetworks()
        let (before, count) = (networks.generation, NewNetworks.count)
        let (groups, total) = try counts(networks.harness, by: .field(.asn)) { turn in
            guard turn == 1 else { return }
            if reusesIndices { networks.removeFirst() }
            networks.reply()
        }
        #expect((networks.generation != before) == reusesIndices)
        // The removed entries were counted in the first turn.
        var expected = ["1": Self.many - 2 * count]
        for number in 0..<count {
            expected["\(10_000 + number)"] = 1
            expected["\(20_000 + Limits.entriesPerCount + number)"] = 1
        }
        #expect(groups == expected)
        #expect(total == Self.many)
    }

    @Test func `a filter compares a network that is added between two turns by its own value`() throws {
        var networks = NewNetworks()
        let count = NewNetworks.count
        let asns = Set((0..<count).map { 10_000 + $0 })
        let query = CountQuery(key: .origin, filter: EntryFilter { $0.asns = asns }, limit: 10)
        let response = try response(networks.harness, .count(query)) { turn in
            guard turn == 1 else { return }
            networks.removeFirst()
            networks.reply()
        }
        guard case .counts(let counts) = response else { throw Endless() }
        #expect(counts.total == count)
    }

    // MARK: Limits

    @Test func `a count with too many groups is refused`() throws {
        let entries = addresses(Limits.groups + 1).enumerated().map { number, address in
            (address, Self.entry(Self.record(asn: number, isp: "I")))
        }
        let query = CountQuery(key: .field(.asn), limit: 10)
        let refusal = try response(Self.harness(entries), .count(query))
        #expect(refusal == .refused(.tooMany(limit: Limits.groups, .groups)))
    }
}
