import Testing

@testable import RecordKeeping

/// The log of outages.
struct OutageTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let debounce = Settings.unlimitedProvider.debounce

    @discardableResult
    private func lose(_ harness: KeeperHarness) -> [Effect] {
        checkRoute(harness)
        return harness.loseRoute("network is unreachable")
    }

    @discardableResult
    private func restore(_ harness: KeeperHarness) -> [Effect] {
        checkRoute(harness)
        return harness.answerRouteCheck(.open)
    }

    /// Reports a route event, which begins a route check.
    private func checkRoute(_ harness: KeeperHarness) {
        harness.handle(.routesChanged)
        harness.pass(debounce)
        harness.expect(.checkRoute)
    }

    /// The outages on disk, each as it was last written.
    private func written(_ harness: KeeperHarness) -> [Outage] {
        var outages: [Int64: Outage] = [:]
        for commit in harness.log.commits {
            for case .outage(let outage) in commit.writes { outages[outage.number] = outage }
        }
        return outages.values.sorted { $0.number < $1.number }
    }

    /// Returns a keeper with a call for one address.
    private func harnessWithCall() throws -> (KeeperHarness, Call) {
        let settings = Settings(providerName: "ip-api.com", documentedLimits: [.single: 45, .batch: 15])
        let harness = KeeperHarness(ignoring: .upkeep, settings: settings)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        return (harness, call)
    }

    @Test func `an outage is written when it begins and when it ends, with its number of deferred refreshes`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        lose(harness)
        harness.expect(.commit([.event(.networkLost), .health, .outage]), .log(.networkLost))
        let began = harness.now.wall
        #expect(written(harness).map(\.until) == [nil])
        harness.pass(Settings.unlimitedProvider.interval)
        harness.expect(Array(repeating: .resolve, count: 10))
        restore(harness)
        harness.expect(
            .resolve, .commit([.event(.networkRestored), .health, .outage, .alertsLogged(through: 2)]),
            .call([one], .single), .log(.networkRestored))
        let outage = try #require(written(harness).first)
        #expect(
            outage
                == Outage(
                    number: 1, since: began, until: harness.now.wall, cause: .network,
                    message: "network is unreachable",
                    deferred: 1))
    }

    @Test func `with a proxy, the messages about the route name it`() throws {
        var settings = Settings(routeName: "the proxy p:1", documentedLimits: [:])
        settings.interval = .seconds(1)
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one, settings: settings)
        lose(harness)
        harness.expect(.commit([.event(.networkLost), .health, .outage]), .log(.networkLost))
        #expect(harness.show(one)?.state == .fresh)
        harness.pass(settings.interval)
        harness.discardEffects()
        #expect(harness.show(one)?.failure?.message == "no route to the proxy p:1: network is unreachable")
        restore(harness)
        harness.discardEffects()
        let messages = harness.log.commits.flatMap(\.writes).compactMap { write in
            if case .event(let event) = write { event.message } else { nil }
        }
        #expect(
            messages == [
                "no route to the proxy p:1: network is unreachable; records will be reported as stale until it returns",
                "route to the proxy p:1 restored after 1 s",
            ])
    }

    @Test func `a failing provider is one outage, and the loss of the route during it is another`() throws {
        let (harness, call) = try harnessWithCall()
        try harness.failProvider(call, .rejected)
        harness.expect(.commit([.health, .outage]))
        #expect(written(harness).map(\.cause) == [.provider])
        #expect(written(harness).map(\.deferred) == [1])
        lose(harness)
        harness.expect(
            .commit([.event(.networkLost), .health, .outage, .outage]), .log(.networkLost))
        #expect(written(harness).map(\.cause) == [.provider, .network])
        #expect(written(harness).map { $0.until == nil } == [false, true])
        let calls = restore(harness).calls
        // The call is reserved before it is sent.
        harness.expect(
            .resolve, .commit([.event(.networkRestored), .health, .outage, .alertsLogged(through: 3)]),
            .log(.networkRestored), .commit([.health, .alertsLogged(through: 4)]), .call([one], .single))
        harness.reply(to: try #require(calls.first))
        harness.expect(
            .commit([.event(.providerRecovered)] + .records(of: [one], cohort: 1) + [.health]), .log(.providerRecovered)
        )
        #expect(written(harness).allSatisfy { $0.until != nil })
    }

    @Test func `an outage reports its first failure and the latest kind of failure`() throws {
        let (harness, call) = try harnessWithCall()
        try harness.failProvider(call, .throttled, message: "HTTP status 429")
        harness.expect(.commit([.health, .outage]))
        #expect(written(harness).map(\.message) == ["HTTP status 429"])
        let retry = try #require(harness.pass(.seconds(64)).calls.first)
        harness.expect(.commit([.health, .outage]), .call([one], .single))
        harness.fail(retry, .unauthorized, message: "banned")
        harness.expect(.commit([.event(.providerFailed), .health, .outage]), .log(.providerFailed))
        #expect(written(harness).map(\.message) == ["HTTP status 429; then banned"])
        #expect(written(harness).map(\.until) == [nil], "it is still the same outage")
    }

    @Test func `an outage continues after a restart, or ends with it`() throws {
        let since = WallTime(milliseconds: 1_799_999_000_000)
        let outage = Outage(number: 4, since: since, cause: .network, message: "no route", deferred: 3)
        let loss = SavedLoss(since: since, reason: "no route")
        let lost = KeeperHarness(
            ignoring: .upkeep, restored: Restored(networkLoss: loss, outage: outage, lastOutage: 4), status: nil)
        #expect(lost.keeper.outages.current == outage)
        restore(lost)
        lost.expect(
            .resolve, .commit([.event(.networkRestored), .health, .outage, .history]), .log(.networkRestored))
        #expect(written(lost).map(\.number) == [4])
        #expect(written(lost).first?.until == lost.now.wall)
        let well = KeeperHarness(ignoring: .upkeep, restored: Restored(outage: outage, lastOutage: 4))
        #expect(well.keeper.outages.current == nil)
        lose(well)
        well.expect(.commit([.event(.networkLost), .health, .outage, .outage, .history]), .log(.networkLost))
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
        let old = try KeeperHarness.withRecord(ignoring: .upkeep, of: one).keeper.slots.entry(of: 0)
        var entry = old
        entry.scan?.at = KeeperHarness.start.advanced(by: .seconds(-10_000))
        var fresh = old
        fresh.scan?.at = KeeperHarness.start
        let entries = storedEntries(addresses(overdue).map { ($0, entry) } + [(one, fresh)])
        let harness = KeeperHarness(
            ignoring: .upkeep, entries: entries,
            restored: Restored(
                networkLoss: SavedLoss(since: since, reason: "no route"), outage: outage, lastOutage: 4), status: nil)
        #expect(harness.keeper.outages.current?.deferred == reported)
    }

    @Test func `a query returns the current state of the outage`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        lose(harness)
        harness.expect(.commit([.event(.networkLost), .health, .outage]), .log(.networkLost))
        let (id, effects) = harness.ask(.outages(before: nil, limit: 5))
        harness.expect(.reading(id))
        #expect(effects.contains(.readOutages(id, before: nil, limit: 5)))
        harness.pass(Settings.unlimitedProvider.interval)
        harness.expect(Array(repeating: .resolve, count: 10))
        let read = written(harness)
        #expect(read.map(\.deferred) == [0])
        harness.handle(.outagesRead(id, read))
        var reported = try #require(read.first)
        reported.deferred = 1
        harness.expect(.answer(id, .outages([reported])))
    }

    @Test func `the queue stays bounded while the route changes and the disk fails`() throws {
        // The number of attempts to write depends on random delays. The alerts are counted instead of stated.
        let ignored: Set<EffectKind> = .upkeep.union([.commit, .log, .routeCheck])
        let harness = try KeeperHarness.withRecord(ignoring: ignored, of: one)
        harness.disk = .waits
        var reported = 0
        for _ in 0..<3_000 {
            reported += lose(harness).announced.count + restore(harness).announced.count
            while harness.commit != nil { reported += harness.failToWrite().announced.count }
        }
        #expect(harness.keeper.footprint.unwritten <= Limits.waitingEvents + 64)
        #expect(reported == 6_000, "each event is logged")
    }

    @Test func `a commit saves the route state after all of its events, even if a turn is short`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 2)
        harness.disk = .waits
        let (id, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit(.adding([one]) + [.history]))
        for _ in 0..<3 {
            lose(harness)
            restore(harness)
            harness.expect(.resolve)
        }
        lose(harness)
        harness.disk = .writesAtOnce
        let effects = harness.write()
        let kinds = (0..<7).map { $0.isMultiple(of: 2) ? PublishedEvent.Kind.networkLost : .networkRestored }
        harness.expect(
            [
                .answer(id, .added(1, already: 0)),
                .commit(kinds.map { .event($0) } + [.health, .outage, .outage, .outage, .outage]),
            ] + kinds.map { .log($0) })
        for commit in effects.commits {
            var last: PublishedEvent.Kind?
            for case .event(let event) in commit.writes { last = event.kind }
            for case .networkLoss(let loss) in commit.writes { #expect((loss != nil) == (last == .networkLost)) }
        }
    }

    @Test func `the end of an outage is written again after a failed commit`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        lose(harness)
        harness.expect(.commit([.event(.networkLost), .health, .outage]), .log(.networkLost))
        harness.disk = .waits
        restore(harness)
        let commit = EffectOutline.commit(
            [.event(.networkRestored), .health, .outage, .alertsLogged(through: 2)])
        harness.expect(.resolve, commit)
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"), .log(.networkRestored))
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        harness.expect(commit, .logStoreRecovery)
        #expect(written(harness).last?.until != nil)
        #expect(harness.keeper.outages.unsaved.isEmpty)
    }
}
