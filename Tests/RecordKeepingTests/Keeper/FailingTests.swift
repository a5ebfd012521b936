import Testing

@testable import RecordKeeping

/// Reports and retries when the provider or an address fails.
@Suite struct FailingTests {
    private let one = IPAddress(v4: 0x0101_0101)

    /// The commit for the first failure of an endpoint.
    private static let failure = EffectOutline.commit([.event(.providerFailed), .health])
    /// The commit that begins an outage of the provider, because the other endpoint fails too.
    private static let outage = EffectOutline.commit([.health, .outage])

    /// Returns a harness with a call in flight for these addresses, whose endpoint has reported no quota yet.
    private func harnessWithCall(
        for addresses: [IPAddress], ignoring ignored: Set<EffectKind> = .upkeep
    ) throws -> (KeeperHarness, Call) {
        let harness = KeeperHarness(ignoring: ignored)
        harness.add(addresses)
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call(addresses, addresses.count > 1 ? .batch : .single))
        return (harness, call)
    }

    @Test(arguments: [Failure.Kind.unreachable, .timeout, .unauthorized, .rejected, .malformed])
    func `a provider failure is reported with its kind, and ends with the first success`(kind: Failure.Kind) throws {
        let (harness, call) = try harnessWithCall(for: [one])
        func fail(_ call: Call, _ effects: [EffectOutline]) {
            harness.fail(call, kind)
            if kind == .unreachable || kind == .timeout {
                harness.expect(.checkRoute)
                harness.answerRouteCheck(.open)
            }
            harness.expect((kind == .unreachable ? [.resolve] : []) + effects)
        }
        fail(call, [Self.failure, .log(.providerFailed)])
        #expect(harness.show(one)?.state == .loading, "the other endpoint is called next")
        let other = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .alertsLogged(through: 2)]), .call([one], .batch))
        fail(other, [Self.outage])
        let view = try #require(harness.show(one))
        #expect(view.state == .failed && view.failure?.kind == kind && view.failure?.attempts == 1)
        let retry = try #require(harness.pass(.seconds(1)).calls.first)
        harness.expect(.commit([.health, .outage]), .call([one], retry.endpoint))
        harness.reply(to: retry)
        harness.expect(
            .commit([.event(.providerRecovered)] + .records(of: [one], cohort: 1) + [.health, .outage]),
            .log(.providerRecovered))
        #expect(harness.show(one)?.state == .fresh)
        #expect(harness.show(one)?.failure == nil)
    }

    @Test func `the backoff of each endpoint grows to at most one minute`() throws {
        let (harness, first) = try harnessWithCall(for: [one], ignoring: .upkeep.union([.routeCheck]))
        try harness.failProvider(first, .rejected)
        harness.expect(Self.outage)
        var failedAt = [Call.Endpoint: BootTime](
            uniqueKeysWithValues: Call.Endpoint.allCases.map { ($0, harness.now.boot) })
        var gaps: [Call.Endpoint: [Duration]] = [:]
        for _ in 1...24 {
            let retryAt = try #require(harness.armed)
            let call = try #require(harness.pass(retryAt - harness.now.boot).calls.first)
            harness.expect(.commit([.health, .outage]), .call([one], call.endpoint))
            gaps[call.endpoint, default: []].append(harness.now.boot - failedAt[call.endpoint]!)
            failedAt[call.endpoint] = harness.now.boot
            harness.fail(call, .rejected)
            harness.expect(.commit([.health, .outage]))
        }
        for endpoint in Call.Endpoint.allCases {
            let gaps = try #require(gaps[endpoint])
            #expect(gaps[0] <= .seconds(1))
            #expect(gaps.allSatisfy { $0 <= .seconds(60) + Limits.gather })
            #expect(gaps[gaps.count - 1] >= .seconds(30))
        }
    }

    @Test func `a failing provider is tried with one address at a time, and gets the rest after a success`() throws {
        let all = addresses(30)
        let (harness, call) = try harnessWithCall(for: all)
        try harness.failProvider(call, .rejected)
        harness.expect(Self.outage)
        let effects = harness.pass(.seconds(1))
        let trials = effects.calls
        #expect(Set(trials.map(\.endpoint)) == [.single, .batch] && trials.allSatisfy { $0.addresses.count == 1 })
        harness.discardEffects()
        let batch = try #require(trials.first { $0.endpoint == .batch })
        harness.reply(to: batch)
        // The address that failed last is behind the others.
        let rest = all[1...].filter { address in !trials.contains { $0.addresses == [address] } } + [all[0]]
        harness.expect(
            .commit([.event(.providerRecovered)] + .records(of: batch.addresses, cohort: 1) + [.health, .outage]),
            .call(rest, .batch), .log(.providerRecovered))
        #expect(harness.keeper.status(at: harness.now).provider.state == .failing, "the other endpoint still fails")
    }

    @Test func `an address that makes every call fail is isolated, and the others get their records`() throws {
        let all = addresses(64)
        let poison = all[40]
        let harness = KeeperHarness(ignoring: .fetching)
        harness.add(all)
        harness.discardEffects()
        var open = harness.pass(Limits.gather).calls
        for _ in 0..<400 {
            if harness.now.boot - KeeperHarness.start.boot > .seconds(250) { break }
            if open.isEmpty { open = harness.pass(.seconds(1)).calls }
            guard !open.isEmpty else { continue }
            let call = open.removeFirst()
            open +=
                call.addresses.contains(poison) ? harness.fail(call, .rejected).calls : harness.reply(to: call).calls
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
        harness.expect(.commit([.event(.throttled), .health]), .log(.throttled))
        let other = try #require(harness.pass(Limits.gather).calls.first)
        // The other endpoint has its own quota, and is called instead.
        harness.expect(.commit([.health, .alertsLogged(through: 3)]), .call([both[0]], .single))
        harness.fail(other, .throttled, quota: exhausted)
        harness.expect(.commit([.health, .outage]))
        #expect(harness.show(both[0])?.failure?.kind == .throttled)
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
            [.commit(.records(of: batches[0], cohort: 1) + [.health])]
                + batches[1...Limits.callsInFlight].map { .call($0, .batch) })
        harness.fail(calls[0], .timeout)
        harness.expect(.checkRoute)
        harness.reply(to: calls[1])
        harness.expect(.commit(.records(of: batches[2], cohort: 2) + [.health]))
        #expect(harness.keeper.footprint.calls == Limits.callsInFlight - 1)
        harness.answerRouteCheck(.open)
        // Another call that was sent at the same time has succeeded, so the endpoint works.
        harness.expect(.commit([.health]), .call(batches[1], .batch), .call(batches[9], .batch))
    }

    @Test func `the provider's backoff survives a restart`() throws {
        let (harness, call) = try harnessWithCall(for: [one])
        let commits = try harness.failProvider(call, .rejected).commits
        harness.expect(Self.outage)
        let health = commits.flatMap(\.writes).compactMap { if case .health(let saved) = $0 { saved } else { nil } }
        #expect(Set(health.map(\.endpoint)) == [.single, .batch])
        let entry = Entry(watch: Watch(byClient: true))
        let restarted = KeeperHarness(
            ignoring: .upkeep, settings: .unlimitedProvider,
            entries: storedEntries([one], entry), restored: Restored(health: health), at: harness.now)
        let retryAt = try #require(health.compactMap(\.retryAt).min { $0.boot < $1.boot })
        #expect(restarted.show(one)?.failure?.kind == .rejected)
        restarted.pass(retryAt.boot - restarted.now.boot - .nanoseconds(1))
        restarted.pass(Limits.gather)
        let retry = try #require(health.first { $0.retryAt == retryAt })
        restarted.expect(.commit([.health, .history]), .call([one], retry.endpoint))
    }

    @Test func `a failure of another kind is announced, and a repetition of the same kind is not`() throws {
        var (harness, call) = try harnessWithCall(for: [one])
        try harness.failProvider(call, .throttled)
        harness.expect(Self.outage)
        call = try #require(harness.pass(.seconds(61)).calls.first)
        harness.expect(.commit([.health, .outage]), .call([one], call.endpoint))
        harness.fail(call, .unauthorized)
        harness.expect(.commit([.event(.providerFailed), .health, .outage]), .log(.providerFailed))
        call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .outage, .alertsLogged(through: 3)]), .call([one], call.endpoint))
        harness.fail(call, .throttled)
        harness.expect(.commit([.health, .outage]))
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
