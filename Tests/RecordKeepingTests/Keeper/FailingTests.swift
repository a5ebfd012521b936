import Testing

@testable import RecordKeeping

/// Reports and retries when the provider, an address, the route or the disk fails.
@Suite struct FailingTests {
    private let one = IPAddress(v4: 0x0101_0101)

    @Test(arguments: [Failure.Kind.unreachable, .timeout, .unauthorized, .rejected, .malformed])
    func `a provider failure is reported with its kind, and ends with the first success`(kind: Failure.Kind) throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.fail(call, kind)
        harness.answerRouteCheck(.open)
        #expect(harness.log.announced.map(\.kind) == [.providerFailed])
        let view = try #require(harness.show(one))
        #expect(view.state == .failed && view.failure?.kind == kind && view.failure?.attempts == 1)
        let retry = try #require(harness.pass(.seconds(1)).calls.first)
        let effects = harness.reply(to: retry)
        #expect(effects.announced.map(\.kind) == [.providerRecovered])
        #expect(harness.show(one)?.state == .fresh)
        #expect(harness.show(one)?.failure == nil)
    }

    @Test func `the provider's backoff grows to at most one minute`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        var call = try #require(harness.pass(Limits.gather).calls.first)
        var gaps: [Duration] = []
        for _ in 0..<12 {
            let failedAt = harness.now.boot
            harness.fail(call, .rejected)
            let retryAt = try #require(harness.armed)
            gaps.append(retryAt - failedAt)
            call = try #require(harness.pass(retryAt - failedAt).calls.first)
        }
        #expect(gaps.first.map { $0 <= .seconds(1) } == true)
        #expect(gaps.allSatisfy { $0 <= .seconds(60) })
        #expect(gaps.last.map { $0 >= .seconds(30) } == true)
    }

    @Test func `a failing provider is tried with one address at a time, and gets the rest after a success`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add(addresses(30))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        #expect(call.addresses.count == 30)
        harness.fail(call, .rejected)
        let probe = try #require(harness.pass(.seconds(1)).calls.first)
        #expect(probe.addresses.count == 1)
        let rest = harness.reply(to: probe).calls
        #expect(rest.map(\.addresses.count) == [29])
    }

    @Test func `an address that makes every call fail is isolated, and the others get their records`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let all = addresses(64)
        let poison = all[40]
        harness.add(all)
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
        let harness = KeeperHarness(ignoring: .all)
        harness.add(addresses(2))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        let effects = harness.fail(call, .throttled, quota: ReportedQuota(remaining: 0, resetsIn: .seconds(20)))
        #expect(effects.announced.map(\.kind) == [.throttled])
        #expect(harness.show(addresses(1)[0])?.failure?.kind == .throttled)
        let probe = try #require(harness.pass(Limits.gather).calls.first)
        #expect(probe.endpoint == .single, "the other endpoint has its own quota, and is tried")
        harness.fail(probe, .throttled, quota: ReportedQuota(remaining: 0, resetsIn: .seconds(20)))
        #expect(harness.pass(.seconds(21) - Limits.gather - .nanoseconds(1)).calls.isEmpty)
        #expect(harness.pass(.nanoseconds(1)).calls.count == 1)
    }

    @Test func `no call is made while a route check determines the cause of a failure`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add(addresses(2_000))
        let first = try #require((harness.log + harness.pass(Limits.gather)).calls.first)
        let calls = harness.reply(to: first).calls
        #expect(calls.count == Limits.callsInFlight)
        #expect(harness.fail(calls[0], .timeout).calls.isEmpty)
        #expect(harness.reply(to: calls[1]).calls.isEmpty)
        #expect(harness.keeper.footprint.calls == Limits.callsInFlight - 1)
        harness.answerRouteCheck(.open)
        #expect(!harness.reply(to: calls[2]).calls.isEmpty, "the cause is known, and a success ends the failure")
    }

    @Test func `the provider's backoff survives a restart`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        let commits = harness.fail(call, .rejected).commits
        let provider = try #require(
            commits.flatMap(\.writes).compactMap { if case .provider(let saved) = $0 { saved } else { nil } }.last)
        let entry = Entry(watch: Watch(byClient: true))
        let restarted = KeeperHarness(
            ignoring: .all, settings: .unlimitedProvider,
            entries: [SavedEntry(one, entry)], restored: Restored(providers: [provider]), at: harness.now)
        let retryAt = try #require(provider.retryAt)
        #expect(restarted.show(one)?.failure?.kind == .rejected)
        #expect(restarted.pass(retryAt.boot - restarted.now.boot - .nanoseconds(1)).calls.isEmpty)
        #expect(restarted.pass(Limits.gather).calls.count == 1)
    }

    @Test func `the quota and the failures of one provider do not apply to another`() throws {
        let end = KeeperHarness.start.advanced(by: .seconds(30))
        let failure = Failure(kind: .unauthorized, message: "banned", at: KeeperHarness.start, attempts: 9)
        func harness(_ known: String?) -> KeeperHarness {
            let windows = Call.Endpoint.allCases.map {
                SavedWindow(
                    provider: known, endpoint: $0, limit: 15, remaining: 0, resetsAt: end, length: .seconds(60))
            }
            let health = SavedProvider(
                endpoint: known, state: .unauthorized, since: KeeperHarness.start.wall, failure: failure, retryAt: end)
            var settings = Settings.unlimitedProvider
            settings.providerEndpoint = "https://pro.ip-api.com"
            let entries = addresses(300).map { SavedEntry($0, Entry(watch: Watch(byClient: true))) }
            return KeeperHarness(
                ignoring: .all, settings: settings, entries: entries,
                restored: Restored(windows: windows, providers: [health]))
        }
        for known in ["https://pro.ip-api.com", nil] {
            let same = harness(known)
            same.pass(.seconds(29))
            #expect(same.log.calls.isEmpty, "nil: saved before the provider was recorded")
        }
        let changed = harness("http://ip-api.com")
        changed.pass(Limits.gather)
        #expect(!changed.log.calls.isEmpty)
        #expect(changed.keeper.quotas.values.allSatisfy { $0.limit == nil }, "the previous limits are dropped")
    }

    @Test func `no call is made in an exhausted window, even after a restart`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add(addresses(300))
        let call = try #require(harness.log.calls.first)
        let effects = harness.reply(to: call, quota: ReportedQuota(remaining: 0, resetsIn: .seconds(30)))
        let single = try #require(effects.calls.first)
        #expect(single.endpoint == .single)
        let more = harness.reply(to: single, quota: ReportedQuota(remaining: 0, resetsIn: .seconds(30)))
        #expect(more.calls.isEmpty)
        let windows = (effects + more).commits.flatMap(\.writes).compactMap {
            if case .window(let saved) = $0 { saved } else { nil }
        }
        var latest: [Call.Endpoint: SavedWindow] = [:]
        for window in windows { latest[window.endpoint] = window }
        let entries = addresses(300).map { SavedEntry($0, Entry(watch: Watch(byClient: true))) }
        let restarted = KeeperHarness(
            ignoring: .all, entries: entries, restored: Restored(windows: Array(latest.values)), at: harness.now)
        #expect(restarted.pass(.seconds(31) - .nanoseconds(1)).calls.isEmpty)
        #expect(restarted.pass(.nanoseconds(1)).calls.count >= 1)
    }

    @Test func `with documented limits, each call is reserved on disk before it is sent`() throws {
        let harness = KeeperHarness(ignoring: .all, settings: Settings())
        harness.disk = .waits
        harness.add([one])
        harness.write()
        let gathered = harness.pass(Limits.gather)
        #expect(gathered.calls.isEmpty)
        let saved = gathered.commits.flatMap(\.writes).compactMap {
            if case .window(let window) = $0 { window } else { nil }
        }
        #expect(saved.first { $0.endpoint == .single }?.remaining == 44)
        #expect(harness.write().calls.count == 1)
    }

    @Test func `while the store fails, changes are refused and queries answered, and it recovers by itself`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        harness.disk = .waits
        let (id, _) = harness.ask(.add(addresses(1), tags: [], note: nil))
        let refused = harness.failToWrite("disk full").answer(to: id)
        #expect(refused == .refused(.storeFailed("disk full")))
        #expect(harness.show(one)?.state == .fresh)
        #expect(harness.show(addresses(1)[0])?.entry.watch == nil, "a failed commit changes nothing")
        #expect(harness.pass(.seconds(1)).commits.count == 1, "the commit is repeated without a request")
        harness.write()
        let (again, _) = harness.ask(.add(addresses(1), tags: [], note: nil))
        #expect(harness.write().answer(to: again) == .added(1, already: 0))
    }

    @Test func `each failed commit is logged with its reason, and then the first that succeeds`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        harness.disk = .waits
        func logged(_ effects: [Effect]) -> [EffectOutline] {
            effects.map { EffectOutline($0, at: harness.now) }.filter { $0.kind == .log }
        }
        harness.add(addresses(1))
        #expect(logged(harness.failToWrite("disk full")) == [.logStoreFailure(reason: "disk full")])
        harness.pass(.seconds(1))
        #expect(logged(harness.failToWrite("input/output error")) == [.logStoreFailure(reason: "input/output error")])
        harness.pass(.seconds(10))
        #expect(logged(harness.write()) == [.logStoreRecovery])
        harness.add(addresses(1))
        #expect(logged(harness.write()) == [])
    }

    @Test func `the next attempt answers a client, even if more work waits for a failing disk than fits in a turn`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 2)
        harness.disk = .waits
        for _ in 0..<6 {
            harness.handle(.routesChanged)
            harness.pass(.seconds(1))
            harness.answerRouteCheck(.none(reason: "no route"))
            harness.answerRouteCheck(.open)
            harness.failToWrite()
        }
        let (id, _) = harness.ask(.add(addresses(1), tags: [], note: nil))
        var tries = 0
        while harness.commit != nil, tries < 5 {
            tries += 1
            harness.failToWrite()
        }
        #expect(harness.log.answer(to: id) == .refused(.storeFailed("disk full")))
        #expect(tries <= 2 && harness.commit == nil, "no attempt follows immediately unless a client waits for it")
    }

    @Test func `a record that could not be written is not fetched again, but written later`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.disk = .waits
        harness.reply(to: call)
        harness.failToWrite()
        var effects: [Effect] = []
        for _ in 0..<3 {
            effects += harness.pass(.seconds(60))
            if harness.commit != nil { effects += harness.failToWrite() }
        }
        #expect(effects.calls.isEmpty)
        harness.pass(.seconds(60))
        harness.write()
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `a failure of another kind is announced, and a repetition of the same kind is not`() throws {
        let harness = KeeperHarness(ignoring: .all)
        var call = try #require(
            harness.add([IPAddress(v4: 0x0101_0101)]).calls.first ?? harness.pass(Limits.gather).calls.first)
        #expect(harness.fail(call, .throttled).announced.map(\.kind) == [.throttled])
        call = try #require(harness.pass(.seconds(61)).calls.first)
        #expect(harness.fail(call, .unauthorized).announced.map(\.kind) == [.providerFailed])
        call = try #require(harness.pass(.seconds(61)).calls.first)
        #expect(harness.fail(call, .unauthorized).announced.isEmpty)
    }

    @Test func `full batches are sent again after error pages`() throws {
        let harness = KeeperHarness(ignoring: .all)
        var left: [Call.Endpoint: Int] = [.single: 45, .batch: 15]
        func reported(_ call: Call) -> ReportedQuota {
            left[call.endpoint, default: 0] -= 1
            return ReportedQuota(remaining: left[call.endpoint], resetsIn: .seconds(60))
        }
        var open = harness.add(addresses(444)).calls + harness.pass(Limits.gather).calls
        while !open.isEmpty {
            let call = open.removeFirst()
            open += harness.reply(to: call, quota: reported(call)).calls
        }
        #expect(harness.keeper.tally.count(.fresh) == 444)
        left = [.single: 45, .batch: 15]
        open = harness.pass(Settings.unlimitedProvider.interval + Limits.gather).calls
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
