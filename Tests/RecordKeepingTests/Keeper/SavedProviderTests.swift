import Testing

@testable import RecordKeeping

/// The state of the provider that is saved: quota windows, reservations and failures.
@Suite struct SavedProviderTests {
    private let one = IPAddress(v4: 0x0101_0101)

    @Test(arguments: ["https://pro.ip-api.com", nil, "http://ip-api.com"])
    func `the quota and the failures of one provider do not apply to another`(known: String?) {
        let end = KeeperHarness.start.advanced(by: .seconds(30))
        let failure = Failure(kind: .unauthorized, message: "banned", at: KeeperHarness.start, attempts: 9)
        let windows = Call.Endpoint.allCases.map {
            SavedWindow(provider: known, endpoint: $0, limit: 15, remaining: 0, resetsAt: end, length: .seconds(60))
        }
        let health = Call.Endpoint.allCases.map {
            SavedHealth(
                provider: known, endpoint: $0, state: .unauthorized, since: KeeperHarness.start.wall,
                failure: failure, retryAt: end)
        }
        var settings = Settings.unlimitedProvider
        settings.providerEndpoint = "https://pro.ip-api.com"
        let all = addresses(50)
        let harness = KeeperHarness(
            ignoring: .upkeep, settings: settings,
            entries: storedEntries(all, Entry(watch: Watch(byClient: true))),
            restored: Restored(windows: windows, health: health))
        if known == "http://ip-api.com" {
            harness.pass(Limits.gather)
            harness.expect(.commit([.health, .history]), .call(all, .batch))
            #expect(harness.keeper.quotas.values.allSatisfy { $0.limit == nil }, "the previous limits are dropped")
        } else {
            // State without a provider was saved before the provider was recorded.
            harness.pass(.seconds(29))
        }
    }

    @Test func `no call is made in an exhausted window, even after a restart`() throws {
        let all = addresses(300)
        let harness = KeeperHarness(ignoring: .upkeep)
        let call = try #require(harness.add(all).calls.first)
        harness.discardEffects()
        let effects = harness.reply(to: call, quota: ReportedQuota(remaining: 0, resetsIn: .seconds(30)))
        harness.expect(
            .commit(.records(of: all[..<100], cohort: 1) + [.health]), .commit([.health]), .call([all[100]], .single))
        let single = try #require(effects.calls.first)
        let more = harness.reply(to: single, quota: ReportedQuota(remaining: 0, resetsIn: .seconds(30)))
        harness.expect(.commit(.records(of: [all[100]], cohort: 2) + [.health]))
        let windows = (effects + more).commits.flatMap(\.writes).compactMap {
            if case .window(let saved) = $0 { saved } else { nil }
        }
        var latest: [Call.Endpoint: SavedWindow] = [:]
        for window in windows { latest[window.endpoint] = window }
        let restarted = KeeperHarness(
            ignoring: .upkeep, entries: storedEntries(all, Entry(watch: Watch(byClient: true))),
            restored: Restored(windows: Array(latest.values)), at: harness.now)
        restarted.pass(.seconds(31) - .nanoseconds(1))
        restarted.pass(.nanoseconds(1))
        restarted.expect(
            .commit([.health, .history]), .call(Array(all[..<100]), .batch), .call([all[100]], .single))
    }

    @Test func `with documented limits, each call is reserved on disk before it is sent`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, settings: Settings())
        harness.add([one])
        harness.discardEffects()
        harness.disk = .waits
        let gathered = harness.pass(Limits.gather)
        harness.expect(.commit([.health]))
        let saved = gathered.commits.flatMap(\.writes).compactMap {
            if case .window(let window) = $0 { window } else { nil }
        }
        #expect(saved.first { $0.endpoint == .single }?.remaining == 44)
        harness.write()
        harness.expect(.call([one], .single))
    }

    @Test func `an address whose retry fell due before a restart waits for the next quota window`() throws {
        let failedAt = KeeperHarness.start.advanced(by: .seconds(-600))
        let failure = Failure(kind: .malformed, message: "status is missing", at: failedAt, attempts: 3)
        let entry = Entry(watch: Watch(byClient: true), failure: failure)
        let end = KeeperHarness.start.advanced(by: .seconds(30))
        let windows = Call.Endpoint.allCases.map {
            SavedWindow(provider: nil, endpoint: $0, limit: 15, remaining: 0, resetsAt: end, length: .seconds(60))
        }
        let harness = KeeperHarness(
            ignoring: .fetching, entries: storedEntries([one], entry), restored: Restored(windows: windows))
        let view = try #require(harness.show(one))
        #expect(view.nextAttemptAt == end.wall)
    }
}
