import Testing

@testable import RecordKeeping

/// Reports and retries when the provider or an address fails.
@Suite struct FailingTests {
    private let one = IPAddress(v4: 0x0101_0101)

    /// The commit that begins an outage of the provider.
    private static let outage = EffectOutline.commit([.event(.providerFailed), .health, .outage])

    /// Returns a harness with a call in flight for these addresses, whose endpoint has reported no quota yet.
    private func harnessWithCall(for addresses: [IPAddress]) throws -> (KeeperHarness, Call) {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add(addresses)
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call(addresses, addresses.count > 1 ? .batch : .single))
        return (harness, call)
    }

    @Test(arguments: [Failure.Kind.unreachable, .timeout, .unauthorized, .rejected, .malformed])
    func `a provider failure is reported with its kind, and ends with the first success`(kind: Failure.Kind) throws {
        let (harness, call) = try harnessWithCall(for: [one])
        harness.fail(call, kind)
        if kind == .unreachable || kind == .timeout {
            harness.expect(.checkRoute)
            harness.answerRouteCheck(.open)
        }
        harness.expect((kind == .unreachable ? [.resolve] : []) + [Self.outage, .log(.providerFailed)])
        let view = try #require(harness.show(one))
        #expect(view.state == .failed && view.failure?.kind == kind && view.failure?.attempts == 1)
        let retry = try #require(harness.pass(.seconds(1)).calls.first)
        harness.expect(.commit([.health, .outage, .alertsLogged(through: 2)]), .call([one], .single))
        harness.reply(to: retry)
        harness.expect(
            .commit([.event(.providerRecovered), .put(one), .health, .outage]), .log(.providerRecovered))
        #expect(harness.show(one)?.state == .fresh)
        #expect(harness.show(one)?.failure == nil)
    }

    @Test func `the provider's backoff grows to at most one minute`() throws {
        var (harness, call) = try harnessWithCall(for: [one])
        var gaps: [Duration] = []
        for attempt in 1...12 {
            let failedAt = harness.now.boot
            harness.fail(call, .rejected)
            if attempt == 1 {
                harness.expect(Self.outage, .log(.providerFailed))
            } else {
                harness.expect(.commit([.health, .outage]))
            }
            let retryAt = try #require(harness.armed)
            gaps.append(retryAt - failedAt)
            call = try #require(harness.pass(retryAt - failedAt).calls.first)
            let mark = attempt == 1 ? [WriteOutline.alertsLogged(through: 2)] : []
            harness.expect(.commit([.health, .outage] + mark), .call([one], .single))
        }
        #expect(gaps.first.map { $0 <= .seconds(1) } == true)
        #expect(gaps.allSatisfy { $0 <= .seconds(60) })
        #expect(gaps.last.map { $0 >= .seconds(30) } == true)
    }

    @Test func `a failing provider is tried with one address at a time, and gets the rest after a success`() throws {
        let all = addresses(30)
        let (harness, call) = try harnessWithCall(for: all)
        harness.fail(call, .rejected)
        harness.expect(Self.outage, .log(.providerFailed))
        let probe = try #require(harness.pass(.seconds(1)).calls.first)
        harness.expect(.commit([.health, .outage, .alertsLogged(through: 31)]), .call([all[0]], .single))
        harness.reply(to: probe)
        harness.expect(
            .commit([.event(.providerRecovered), .put(all[0]), .health, .outage]), .log(.providerRecovered),
            .commit([.health, .alertsLogged(through: 32)]), .call(Array(all[1...]), .batch))
    }

    @Test func `an address that makes every call fail is isolated, and the others get their records`() throws {
        let all = addresses(64)
        let poison = all[40]
        let harness = KeeperHarness(ignoring: .fetching)
        harness.add(all)
        harness.discardEffects()
        var open = harness.pass(Limits.gather).calls
        for _ in 0..<400 {
            if open.isEmpty { open = harness.pass(.seconds(1)).calls }
            guard !open.isEmpty else { continue }
            let call = open.removeFirst()
            open +=
                call.addresses.contains(poison) ? harness.fail(call, .rejected).calls : harness.reply(to: call).calls
            if harness.now.boot - KeeperHarness.start.boot > .seconds(250) { break }
        }
        for address in all where address != poison {
            #expect(harness.show(address)?.state == .fresh)
        }
        #expect(harness.show(poison)?.state == .failed)
        #expect(harness.show(poison)?.failure?.kind == .rejected)
    }

    @Test func `a refusal blocks the endpoint until the reported time`() throws {
        let both = addresses(2)
        let (harness, call) = try harnessWithCall(for: both)
        let exhausted = ReportedQuota(remaining: 0, resetsIn: .seconds(20))
        harness.fail(call, .throttled, quota: exhausted)
        harness.expect(.commit([.event(.throttled), .health, .outage]), .log(.throttled))
        #expect(harness.show(both[0])?.failure?.kind == .throttled)
        let probe = try #require(harness.pass(Limits.gather).calls.first)
        // The other endpoint has its own quota, and is tried.
        harness.expect(.commit([.health, .outage, .alertsLogged(through: 3)]), .call([both[0]], .single))
        harness.fail(probe, .throttled, quota: exhausted)
        harness.expect(.commit([.health, .outage]))
        harness.pass(.seconds(21) - Limits.gather - .nanoseconds(1))
        harness.pass(.nanoseconds(1))
        harness.expect(.commit([.health, .outage]), .call([both[1]], .batch))
    }

    @Test func `no call is made while a route check determines the cause of a failure`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let all = addresses(2_000)
        let first = try #require(harness.add(all).calls.first)
        harness.discardEffects()
        let calls = harness.reply(to: first).calls
        let batches = stride(from: 0, to: 2_000, by: 100).map { Array(all[$0..<$0 + 100]) }
        harness.expect(
            [.commit(batches[0].map { .put($0) } + [.health])]
                + batches[1...Limits.callsInFlight].map { .call($0, .batch) })
        harness.fail(calls[0], .timeout)
        harness.expect(.checkRoute)
        harness.reply(to: calls[1])
        harness.expect(.commit(batches[2].map { .put($0) } + [.health]))
        #expect(harness.keeper.footprint.calls == Limits.callsInFlight - 1)
        harness.answerRouteCheck(.open)
        harness.expect(Self.outage, .log(.providerFailed))
        // The cause is known, and a success ends the failure.
        harness.reply(to: calls[2])
        harness.expect(
            .commit(
                [.event(.providerRecovered)] + batches[3].map { .put($0) }
                    + [.health, .outage, .alertsLogged(through: 2_001)]),
            .call(batches[1], .batch), .call(batches[9], .batch), .call(batches[10], .batch),
            .log(.providerRecovered))
    }

    @Test func `the provider's backoff survives a restart`() throws {
        let (harness, call) = try harnessWithCall(for: [one])
        let commits = harness.fail(call, .rejected).commits
        harness.expect(Self.outage, .log(.providerFailed))
        let provider = try #require(
            commits.flatMap(\.writes).compactMap { if case .provider(let saved) = $0 { saved } else { nil } }.last)
        let entry = Entry(watch: Watch(byClient: true))
        let restarted = KeeperHarness(
            ignoring: .upkeep, settings: .unlimitedProvider,
            entries: [SavedEntry(one, entry)], restored: Restored(providers: [provider]), at: harness.now)
        let retryAt = try #require(provider.retryAt)
        #expect(restarted.show(one)?.failure?.kind == .rejected)
        restarted.pass(retryAt.boot - restarted.now.boot - .nanoseconds(1))
        restarted.pass(Limits.gather)
        restarted.expect(.commit([.health, .history]), .call([one], .single))
    }

    @Test(arguments: ["https://pro.ip-api.com", nil, "http://ip-api.com"])
    func `the quota and the failures of one provider do not apply to another`(known: String?) {
        let end = KeeperHarness.start.advanced(by: .seconds(30))
        let failure = Failure(kind: .unauthorized, message: "banned", at: KeeperHarness.start, attempts: 9)
        let windows = Call.Endpoint.allCases.map {
            SavedWindow(provider: known, endpoint: $0, limit: 15, remaining: 0, resetsAt: end, length: .seconds(60))
        }
        let health = SavedProvider(
            endpoint: known, state: .unauthorized, since: KeeperHarness.start.wall, failure: failure, retryAt: end)
        var settings = Settings.unlimitedProvider
        settings.providerEndpoint = "https://pro.ip-api.com"
        let all = addresses(50)
        let harness = KeeperHarness(
            ignoring: .upkeep, settings: settings,
            entries: all.map { SavedEntry($0, Entry(watch: Watch(byClient: true))) },
            restored: Restored(windows: windows, providers: [health]))
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
            .commit(all[..<100].map { .put($0) } + [.health]), .commit([.health]), .call([all[100]], .single))
        let single = try #require(effects.calls.first)
        let more = harness.reply(to: single, quota: ReportedQuota(remaining: 0, resetsIn: .seconds(30)))
        harness.expect(.commit([.put(all[100]), .health]))
        let windows = (effects + more).commits.flatMap(\.writes).compactMap {
            if case .window(let saved) = $0 { saved } else { nil }
        }
        var latest: [Call.Endpoint: SavedWindow] = [:]
        for window in windows { latest[window.endpoint] = window }
        let restarted = KeeperHarness(
            ignoring: .upkeep, entries: all.map { SavedEntry($0, Entry(watch: Watch(byClient: true))) },
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

    @Test func `a failure of another kind is announced, and a repetition of the same kind is not`() throws {
        var (harness, call) = try harnessWithCall(for: [one])
        harness.fail(call, .throttled)
        harness.expect(.commit([.event(.throttled), .health, .outage]), .log(.throttled))
        call = try #require(harness.pass(.seconds(61)).calls.first)
        harness.expect(.commit([.health, .outage, .alertsLogged(through: 2)]), .call([one], .single))
        harness.fail(call, .unauthorized)
        harness.expect(Self.outage, .log(.providerFailed))
        call = try #require(harness.pass(.seconds(61)).calls.first)
        harness.expect(.commit([.health, .outage, .alertsLogged(through: 3)]), .call([one], .single))
        harness.fail(call, .unauthorized)
        harness.expect(.commit([.health, .outage]))
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
            ignoring: .fetching, entries: [SavedEntry(one, entry)], restored: Restored(windows: windows))
        let view = try #require(harness.show(one))
        #expect(view.nextAttemptAt == end.wall)
    }

    @Test func `full batches are sent again after error pages`() throws {
        let harness = KeeperHarness(ignoring: .fetching)
        var left: [Call.Endpoint: Int] = [.single: 45, .batch: 15]
        func reported(_ call: Call) -> ReportedQuota {
            left[call.endpoint, default: 0] -= 1
            return ReportedQuota(remaining: left[call.endpoint], resetsIn: .seconds(60))
        }
        var open = harness.add(addresses(444)).calls
        harness.discardEffects()
        while !open.isEmpty {
            let call = open.removeFirst()
            open += harness.reply(to: call, quota: reported(call)).calls
        }
        #expect(harness.keeper.tally.count(.fresh) == 444)
        left = [.single: 45, .batch: 15]
        open = harness.pass(Settings.unlimitedProvider.interval + Limits.gather).calls
        harness.expect(.resolve)
        for call in open.prefix(2) {
            open += harness.fail(call, .rejected, quota: reported(call)).calls
        }
        open.removeFirst(2)
        var sent: [String] = []
        for _ in 0..<100 {
            if open.isEmpty { open = harness.pass(.seconds(1)).calls }
            if open.isEmpty { continue }
            let call = open.removeFirst()
            sent.append("\(call.endpoint) \(call.addresses.count)")
            open += harness.reply(to: call, quota: reported(call)).calls
            if harness.keeper.tally.count(.fresh) == 444 { break }
        }
        #expect(sent.count <= 8, "\(sent)")
    }
}
