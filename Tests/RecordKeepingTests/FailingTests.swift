import Testing

@testable import RecordKeeping

/// Reports and retries when the provider, an address, the route or the disk fails.
@Suite struct FailingTests {
    private let one = IPAddress(v4: 0x0101_0101)

    @Test(arguments: [Failure.Kind.unreachable, .timeout, .unauthorized, .rejected, .malformed])
    func `a provider failure is reported with its kind, and ends with the first success`(kind: Failure.Kind) throws {
        let story = Story()
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        story.fail(call, kind)
        story.answerWay(.open)
        #expect(story.log.announced.map(\.kind) == [.providerFailed])
        let view = try #require(story.show(one))
        #expect(view.state == .failed && view.failure?.kind == kind && view.failure?.attempts == 1)
        let retry = try #require(story.pass(.seconds(1)).calls.first)
        let effects = story.reply(to: retry)
        #expect(effects.announced.map(\.kind) == [.providerRecovered])
        #expect(story.show(one)?.state == .fresh)
        #expect(story.show(one)?.failure == nil)
    }

    @Test func `the provider's backoff grows to at most one minute`() throws {
        let story = Story()
        story.add([one])
        var call = try #require(story.pass(Limits.gather).calls.first)
        var gaps: [Duration] = []
        for _ in 0..<12 {
            let failedAt = story.now.boot
            story.fail(call, .rejected)
            let retryAt = try #require(story.armed)
            gaps.append(retryAt - failedAt)
            call = try #require(story.pass(retryAt - failedAt).calls.first)
        }
        #expect(gaps.first.map { $0 <= .seconds(1) } == true)
        #expect(gaps.allSatisfy { $0 <= .seconds(60) })
        #expect(gaps.last.map { $0 >= .seconds(30) } == true)
    }

    @Test func `a failing provider is tried with one address at a time, and gets the rest after a success`() throws {
        let story = Story()
        story.add(addresses(30))
        let call = try #require(story.pass(Limits.gather).calls.first)
        #expect(call.addresses.count == 30)
        story.fail(call, .rejected)
        let probe = try #require(story.pass(.seconds(1)).calls.first)
        #expect(probe.addresses.count == 1)
        let rest = story.reply(to: probe).calls
        #expect(rest.map(\.addresses.count) == [29])
    }

    @Test func `an address that makes every call fail is isolated, and the others get their records`() throws {
        let story = Story()
        let all = addresses(64)
        let poison = all[40]
        story.add(all)
        var open = story.pass(Limits.gather).calls
        for _ in 0..<400 {
            if open.isEmpty { open = story.pass(.seconds(1)).calls }
            guard !open.isEmpty else { continue }
            let call = open.removeFirst()
            open += call.addresses.contains(poison) ? story.fail(call, .rejected).calls : story.reply(to: call).calls
            if story.now.boot - Story.start.boot > .seconds(250) { break }
        }
        for address in all where address != poison {
            #expect(story.show(address)?.state == .fresh)
        }
        #expect(story.show(poison)?.state == .failed)
        #expect(story.show(poison)?.failure?.kind == .rejected)
    }

    @Test func `a refusal blocks the endpoint until the reported time`() throws {
        let story = Story()
        story.add(addresses(2))
        let call = try #require(story.pass(Limits.gather).calls.first)
        let effects = story.fail(call, .throttled, quota: QuotaTold(remaining: 0, resetsIn: .seconds(20)))
        #expect(effects.announced.map(\.kind) == [.throttled])
        #expect(story.show(addresses(1)[0])?.failure?.kind == .throttled)
        let probe = try #require(story.pass(Limits.gather).calls.first)
        #expect(probe.endpoint == .single, "the other endpoint counts apart, and finds out")
        story.fail(probe, .throttled, quota: QuotaTold(remaining: 0, resetsIn: .seconds(20)))
        #expect(story.pass(.seconds(21) - Limits.gather - .nanoseconds(1)).calls.isEmpty)
        #expect(story.pass(.nanoseconds(1)).calls.count == 1)
    }

    @Test func `no call is made while a route check determines the cause of a failure`() throws {
        let story = Story()
        story.add(addresses(2_000))
        let first = try #require((story.log + story.pass(Limits.gather)).calls.first)
        let calls = story.reply(to: first).calls
        #expect(calls.count == Limits.callsInFlight)
        #expect(story.fail(calls[0], .timeout).calls.isEmpty)
        #expect(story.reply(to: calls[1]).calls.isEmpty)
        #expect(story.keeper.footprint.calls == Limits.callsInFlight - 1)
        story.answerWay(.open)
        #expect(!story.reply(to: calls[2]).calls.isEmpty, "it is told apart, and a success ends the failure")
    }

    @Test func `the provider's backoff survives a restart`() throws {
        let story = Story()
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        let commits = story.fail(call, .rejected).commits
        let provider = try #require(
            commits.flatMap(\.writes).compactMap { if case .provider(let saved) = $0 { saved } else { nil } }.last)
        let entry = Entry(watch: Watch(byClient: true))
        let restarted = Story(
            settings: .unlimitedProvider,
            entries: [SavedEntry(one, entry)], restored: Restored(providers: [provider]), at: story.now)
        let retryAt = try #require(provider.retryAt)
        #expect(restarted.show(one)?.failure?.kind == .rejected)
        #expect(restarted.pass(retryAt.boot - restarted.now.boot - .nanoseconds(1)).calls.isEmpty)
        #expect(restarted.pass(Limits.gather).calls.count == 1)
    }

    @Test func `the quota and the failures of one provider do not apply to another`() throws {
        let end = Story.start.advanced(by: .seconds(30))
        let failure = Failure(kind: .unauthorized, message: "banned", at: Story.start, attempts: 9)
        func story(_ known: String?) -> Story {
            let windows = Call.Endpoint.allCases.map {
                SavedWindow(
                    provider: known, endpoint: $0, limit: 15, remaining: 0, resetsAt: end, length: .seconds(60))
            }
            let health = SavedProvider(
                endpoint: known, state: .unauthorized, since: Story.start.wall, failure: failure, retryAt: end)
            var settings = Settings.unlimitedProvider
            settings.providerEndpoint = "https://pro.ip-api.com"
            let entries = addresses(300).map { SavedEntry($0, Entry(watch: Watch(byClient: true))) }
            return Story(
                settings: settings, entries: entries, restored: Restored(windows: windows, providers: [health]))
        }
        for known in ["https://pro.ip-api.com", nil] {
            let same = story(known)
            same.pass(.seconds(29))
            #expect(same.log.calls.isEmpty, "nil: written before providers were told apart")
        }
        let changed = story("http://ip-api.com")
        changed.pass(Limits.gather)
        #expect(!changed.log.calls.isEmpty)
        #expect(changed.keeper.quotas.values.allSatisfy { $0.limit == nil }, "no limit of the other one's is kept")
    }

    @Test func `no call is made in an exhausted window, even after a restart`() throws {
        let story = Story()
        story.add(addresses(300))
        let call = try #require(story.log.calls.first)
        let effects = story.reply(to: call, quota: QuotaTold(remaining: 0, resetsIn: .seconds(30)))
        let single = try #require(effects.calls.first)
        #expect(single.endpoint == .single)
        let more = story.reply(to: single, quota: QuotaTold(remaining: 0, resetsIn: .seconds(30)))
        #expect(more.calls.isEmpty)
        let windows = (effects + more).commits.flatMap(\.writes).compactMap {
            if case .window(let saved) = $0 { saved } else { nil }
        }
        var latest: [Call.Endpoint: SavedWindow] = [:]
        for window in windows { latest[window.endpoint] = window }
        let entries = addresses(300).map { SavedEntry($0, Entry(watch: Watch(byClient: true))) }
        let restarted = Story(entries: entries, restored: Restored(windows: Array(latest.values)), at: story.now)
        #expect(restarted.pass(.seconds(31) - .nanoseconds(1)).calls.isEmpty)
        #expect(restarted.pass(.nanoseconds(1)).calls.count >= 1)
    }

    @Test func `with documented limits, each call is reserved on disk before it is sent`() throws {
        let story = Story(settings: Settings())
        story.disk = .waits
        story.add([one])
        story.write()
        let gathered = story.pass(Limits.gather)
        #expect(gathered.calls.isEmpty)
        let saved = gathered.commits.flatMap(\.writes).compactMap {
            if case .window(let window) = $0 { window } else { nil }
        }
        #expect(saved.first { $0.endpoint == .single }?.remaining == 44)
        #expect(story.write().calls.count == 1)
    }

    @Test func `while the store fails, changes are refused and queries answered, and it recovers by itself`() throws {
        let story = try Story.withRecord(of: one)
        story.disk = .waits
        let (id, _) = story.ask(.add(addresses(1), tags: [], note: nil))
        let refused = story.failToWrite("disk full").answer(to: id)
        #expect(refused == .refused(.storeFailed("disk full")))
        #expect(story.show(one)?.state == .fresh)
        #expect(story.show(addresses(1)[0])?.entry.watch == nil, "nothing half done")
        #expect(story.pass(.seconds(1)).commits.count == 1, "the disk is tried again without being asked to")
        story.write()
        let (again, _) = story.ask(.add(addresses(1), tags: [], note: nil))
        #expect(story.write().answer(to: again) == .added(1, already: 0))
    }

    @Test func `the next attempt answers a client, even if more work waits for a failing disk than fits in a turn`() {
        let story = Story(changesPerTurn: 2)
        story.disk = .waits
        for _ in 0..<6 {
            story.tell(.routesChanged)
            story.pass(.seconds(1))
            story.answerWay(.none(reason: "no route"))
            story.answerWay(.open)
            story.failToWrite()
        }
        let (id, _) = story.ask(.add(addresses(1), tags: [], note: nil))
        var tries = 0
        while story.commit != nil, tries < 5 {
            tries += 1
            story.failToWrite()
        }
        #expect(story.log.answer(to: id) == .refused(.storeFailed("disk full")))
        #expect(tries <= 2 && story.commit == nil, "and no try follows at once that no client waits for")
    }

    @Test func `a record that could not be written is not fetched again, but written later`() throws {
        let story = Story()
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        story.disk = .waits
        story.reply(to: call)
        story.failToWrite()
        var effects: [Effect] = []
        for _ in 0..<3 {
            effects += story.pass(.seconds(60))
            if story.commit != nil { effects += story.failToWrite() }
        }
        #expect(effects.calls.isEmpty)
        story.pass(.seconds(60))
        story.write()
        #expect(story.show(one)?.state == .fresh)
    }

    @Test func `a failure of another kind is announced, and a repetition of the same kind is not`() throws {
        let story = Story()
        var call = try #require(
            story.add([IPAddress(v4: 0x0101_0101)]).calls.first ?? story.pass(Limits.gather).calls.first)
        #expect(story.fail(call, .throttled).announced.map(\.kind) == [.throttled])
        call = try #require(story.pass(.seconds(61)).calls.first)
        #expect(story.fail(call, .unauthorized).announced.map(\.kind) == [.providerFailed])
        call = try #require(story.pass(.seconds(61)).calls.first)
        #expect(story.fail(call, .unauthorized).announced.isEmpty)
    }

    @Test func `full batches are sent again after error pages`() throws {
        let story = Story()
        var left: [Call.Endpoint: Int] = [.single: 45, .batch: 15]
        func told(_ call: Call) -> QuotaTold {
            left[call.endpoint, default: 0] -= 1
            return QuotaTold(remaining: left[call.endpoint], resetsIn: .seconds(60))
        }
        var open = story.add(addresses(444)).calls + story.pass(Limits.gather).calls
        while !open.isEmpty {
            let call = open.removeFirst()
            open += story.reply(to: call, quota: told(call)).calls
        }
        #expect(story.keeper.tally.count(.fresh) == 444)
        left = [.single: 45, .batch: 15]
        open = story.pass(Settings.unlimitedProvider.interval + Limits.gather).calls
        for call in open.prefix(2) {
            open += story.fail(call, .rejected, quota: told(call)).calls
        }
        open.removeFirst(2)
        var sent: [String] = []
        for _ in 0..<100 {
            if open.isEmpty { open = story.pass(.seconds(1)).calls }
            if open.isEmpty { continue }
            let call = open.removeFirst()
            sent.append("\(call.endpoint) \(call.addresses.count)")
            open += story.reply(to: call, quota: told(call)).calls
            if story.keeper.tally.count(.fresh) == 444 { break }
        }
        #expect(sent.count <= 8, "\(sent)")
    }
}
