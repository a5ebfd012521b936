import Testing

@testable import RecordKeeping

/// The figures in the reply to `Metrics`.
struct MetricsTests {
    private let one = IPAddress(v4: 0x0101_0101)

    private func metrics(_ harness: KeeperHarness) throws -> MetricsView {
        let (id, effects) = harness.ask(.metrics)
        guard case .metrics(let view)? = effects.answer(to: id) else { throw Missing() }
        return view
    }

    private struct Missing: Error {}

    @Test func `calls, refreshed records and changes are counted`() throws {
        let harness = KeeperHarness(ignoring: .all, settings: .unlimitedProvider)
        harness.add([one])
        let first = try #require(harness.pass(Limits.gather).calls.first)
        harness.reply(to: first)
        var view = try metrics(harness)
        #expect(view.counters.calls == [.init(.single, .ok): 1])
        #expect(view.counters.refreshed == 1 && view.counters.changed == 0)
        #expect(view.counters.lateness.count == 0, "the first call is not a refresh")
        #expect(view.oldestRecordAge == .zero)
        harness.pass(.seconds(200))
        #expect(try metrics(harness).oldestRecordAge == .seconds(200))
        let second = try #require(harness.pass(.seconds(100) + Limits.gather).calls.first)
        var changed = Record.example
        changed.city = "Hamburg"
        harness.reply(to: second, changed)
        view = try metrics(harness)
        #expect(view.counters.calls == [.init(.single, .ok): 2])
        #expect(view.counters.refreshed == 2 && view.counters.changed == 1)
        #expect(view.counters.lateness.count == 1)
        #expect(view.counters.lateness.counts[0] == 1, "within 50 ms")
        #expect(view.counters.lateness.sum > 0)
    }

    @Test func `only the first call after the expiry of a record counts as late`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one, settings: .shortInterval)
        let call = try harness.expireRecords()
        try harness.failProvider(call, .rejected)
        let retry = try #require(harness.pass(.seconds(60)).calls.first)
        harness.reply(to: retry)
        #expect(try metrics(harness).counters.lateness.count == 1)
    }

    @Test func `an outage that began before the daemon started is not counted again`() throws {
        let since = KeeperHarness.start.wall
        let outage = Outage(number: 4, since: since, cause: .network, message: "no route", deferred: 0)
        let harness = KeeperHarness(
            ignoring: .all,
            restored: Restored(
                networkLoss: SavedLoss(since: since, reason: "no route"), outage: outage, lastOutage: 4), status: nil)
        harness.pass(.seconds(10))
        let network = try metrics(harness).outages[.network]
        #expect(network?.count == 0)
        #expect(network?.duration == .seconds(10))
    }

    @Test func `failed calls are counted by their kind and endpoint`() throws {
        let harness = KeeperHarness(ignoring: .all, settings: .unlimitedProvider)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.fail(call, .throttled)
        #expect(try metrics(harness).counters.calls == [.init(.single, .failed(.throttled)): 1])
    }

    @Test func `a commit's time is that from its request to its end, whether or not it succeeds`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.add([one])
        harness.pass(.milliseconds(40))
        harness.write()
        let view = try metrics(harness)
        #expect(view.counters.commits.count == 1)
        #expect(view.counters.commits.counts == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(abs(view.counters.commits.sum - 0.04) < 1e-9)
    }

    @Test func `outages are counted by cause, and the current one counts up to now`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.answerRouteCheck(.open)
        harness.pass(.seconds(5))
        harness.loseRoute()
        harness.pass(.seconds(60))
        var view = try metrics(harness)
        #expect(view.outages[.network]?.count == 1 && view.outages[.provider]?.count == 0)
        #expect(view.outages[.network]?.duration == .seconds(60))
        harness.answerRouteCheck(.open)
        harness.pass(.seconds(30))
        view = try metrics(harness)
        #expect(view.outages[.network]?.duration == .seconds(60))
        harness.loseRoute()
        harness.pass(.seconds(1))
        view = try metrics(harness)
        #expect(view.outages[.network]?.count == 2)
        #expect(view.outages[.network]?.duration == .seconds(61))
    }

    @Test func `watched entries are counted by state, without those that are only looked up`() throws {
        let harness = KeeperHarness(ignoring: .all, settings: .unlimitedProvider)
        harness.add([one, try IPAddress("10.0.0.1")])
        harness.reply(to: try #require(harness.pass(Limits.gather).calls.first))
        harness.ask(.show([IPAddress(v4: 0x0808_0808)], wait: .seconds(5)))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        #expect(try metrics(harness).watched[.loading] == 0)
        harness.reply(to: call)
        let view = try metrics(harness)
        #expect(view.watched == [.fresh: 1, .empty: 1, .stale: 0, .failed: 0, .loading: 0])
        #expect(view.status.counts.cached == 1)
        harness.pass(.seconds(300))
        #expect(try metrics(harness).watched[.stale] == 1)
    }
}
