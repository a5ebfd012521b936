import Testing

@testable import RecordKeeping

/// The log of outages.
struct OutageTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let debounce = Settings.unlimitedProvider.debounce

    private func lose(_ harness: KeeperHarness) {
        harness.handle(.routesChanged)
        harness.pass(debounce)
        harness.answerRouteCheck(.none(reason: "network is unreachable"))
    }

    private func restore(_ harness: KeeperHarness) {
        harness.handle(.routesChanged)
        harness.pass(debounce)
        harness.answerRouteCheck(.open)
    }

    /// The outages on disk, each as it was last written.
    private func written(_ harness: KeeperHarness) -> [Outage] {
        var outages: [Int64: Outage] = [:]
        for commit in harness.log.commits {
            for case .outage(let outage) in commit.writes { outages[outage.number] = outage }
        }
        return outages.values.sorted { $0.number < $1.number }
    }

    @Test func `an outage is written when it begins and when it ends, with its number of deferred refreshes`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        lose(harness)
        let began = harness.now.wall
        #expect(written(harness).map(\.until) == [nil])
        harness.pass(Settings.unlimitedProvider.interval)
        restore(harness)
        let outage = try #require(written(harness).first)
        #expect(
            outage
                == Outage(
                    number: 1, since: began, until: harness.now.wall, cause: .network,
                    message: "network is unreachable",
                    deferred: 1))
    }

    @Test func `a failing provider is one outage, and the loss of the route during it is another`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let call = try #require(harness.add([one]).calls.first ?? harness.pass(Limits.gather).calls.first)
        harness.fail(call, .rejected)
        #expect(written(harness).map(\.cause) == [.provider])
        #expect(written(harness).map(\.deferred) == [1])
        lose(harness)
        #expect(written(harness).map(\.cause) == [.provider, .network])
        #expect(written(harness).map { $0.until == nil } == [false, true])
        restore(harness)
        var calls = harness.pass(.seconds(61)).calls
        if calls.isEmpty { calls = harness.log.calls.suffix(1) }
        harness.reply(to: try #require(calls.last))
        #expect(written(harness).allSatisfy { $0.until != nil })
    }

    @Test func `an outage reports its first failure and the latest kind of failure`() throws {
        let harness = KeeperHarness(ignoring: .all)
        var call = try #require(harness.add([one]).calls.first ?? harness.pass(Limits.gather).calls.first)
        harness.fail(call, .throttled, message: "HTTP status 429")
        #expect(written(harness).map(\.message) == ["HTTP status 429"])
        call = try #require(harness.pass(.seconds(61)).calls.first)
        harness.fail(call, .unauthorized, message: "banned")
        #expect(written(harness).map(\.message) == ["HTTP status 429; then banned"])
        #expect(written(harness).map(\.until) == [nil], "it is still the same outage")
    }

    @Test func `an outage continues after a restart, or ends with it`() throws {
        let since = WallTime(milliseconds: 1_799_999_000_000)
        let outage = Outage(number: 4, since: since, cause: .network, message: "no route", deferred: 3)
        let loss = SavedLoss(since: since, reason: "no route")
        let lost = KeeperHarness(
            ignoring: .all, restored: Restored(networkLoss: loss, outage: outage, lastOutage: 4), status: nil)
        #expect(lost.keeper.outages.current == outage)
        restore(lost)
        #expect(written(lost).map(\.number) == [4])
        #expect(written(lost).first?.until == lost.now.wall)
        let well = KeeperHarness(ignoring: .all, restored: Restored(outage: outage, lastOutage: 4))
        #expect(well.keeper.outages.current == nil)
        lose(well)
        #expect(written(well).map(\.number) == [4, 5])
    }

    @Test(arguments: [
        (saved: 3, overdue: 5, reported: 5), (saved: 3, overdue: 1, reported: 3), (saved: nil, overdue: 4, reported: 4),
    ])
    func `refreshes that fell due while the daemon was down count as deferred`(
        saved: Int?, overdue: Int, reported: Int
    ) throws {
        let since = KeeperHarness.start.wall + .seconds(-1_000)
        let outage = saved.map {
            Outage(number: 4, since: since, cause: .network, message: "no route", deferred: $0)
        }
        let old = try KeeperHarness.withRecord(ignoring: .all, of: one).keeper.slots.entry(of: 0)
        var entry = old
        entry.scan?.at = KeeperHarness.start.advanced(by: .seconds(-10_000))
        var fresh = old
        fresh.scan?.at = KeeperHarness.start
        let entries = addresses(overdue).map { SavedEntry($0, entry) } + [SavedEntry(one, fresh)]
        let harness = KeeperHarness(
            ignoring: .all, entries: entries,
            restored: Restored(
                networkLoss: SavedLoss(since: since, reason: "no route"), outage: outage, lastOutage: 4), status: nil)
        #expect(harness.keeper.outages.current?.deferred == reported)
    }

    @Test func `a query returns the current state of the outage`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        lose(harness)
        let (id, effects) = harness.ask(.outages(before: nil, limit: 5))
        #expect(effects.contains(.readOutages(id, before: nil, limit: 5)))
        harness.pass(Settings.unlimitedProvider.interval)
        let read = written(harness)
        #expect(read.map(\.deferred) == [0])
        guard case .outages(let reported)? = harness.handle(.outagesRead(id, read)).answer(to: id) else {
            Issue.record("no answer")
            return
        }
        #expect(reported.map(\.deferred) == [1])
    }

    @Test func `the queue stays bounded while the route changes and the disk fails`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        harness.disk = .waits
        var reported = 0
        for _ in 0..<3_000 {
            lose(harness)
            restore(harness)
            while harness.commit != nil { reported += harness.failToWrite().announced.count }
        }
        #expect(harness.keeper.footprint.unwritten <= Limits.waitingEvents + 64)
        for _ in 0..<10 {
            harness.pass(.seconds(61))
            while harness.commit != nil { reported += harness.failToWrite().announced.count }
        }
        #expect(reported == 6_000, "each event is logged")
    }

    @Test func `a commit saves the route state after all of its events, even if a turn is short`() throws {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 2)
        harness.disk = .waits
        harness.add([one])
        for _ in 0..<3 {
            lose(harness)
            restore(harness)
        }
        lose(harness)
        harness.disk = .writesAtOnce
        for commit in harness.write().commits {
            var last: PublishedEvent.Kind?
            for case .event(let event) in commit.writes { last = event.kind }
            for case .networkLoss(let loss) in commit.writes { #expect((loss != nil) == (last == .networkLost)) }
        }
        #expect(harness.log.announced.map(\.kind).last == .networkLost && harness.log.announced.count == 7)
    }

    @Test func `the end of an outage is written again after a failed commit`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        lose(harness)
        harness.disk = .waits
        restore(harness)
        harness.failToWrite()
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        #expect(written(harness).last?.until != nil)
        #expect(harness.keeper.outages.unsaved.isEmpty)
    }
}
