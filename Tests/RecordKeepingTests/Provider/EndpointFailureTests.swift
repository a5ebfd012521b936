import Testing

@testable import RecordKeeping

/// Failures of one endpoint of the provider while the other one works.
@Suite struct EndpointFailureTests {
    private let start = KeeperHarness.start

    /// Runs the keeper for some time with a provider that answers all calls except those for which `failure` returns a
    /// failure.
    ///
    /// - Returns: the number of failures per endpoint, and all effects.
    private func run(
        _ harness: KeeperHarness, _ calls: [Call], for duration: Duration,
        failing failure: (Call) -> CallFailure?
    ) -> (failed: [Call.Endpoint: Int], effects: [Effect]) {
        var failed: [Call.Endpoint: Int] = [:]
        var effects: [Effect] = []
        var open = calls[...]
        let end = harness.now.boot + duration
        while harness.now.boot < end {
            while let call = open.popFirst() {
                let following: [Effect]
                if let failure = failure(call) {
                    failed[call.endpoint, default: 0] += 1
                    following = harness.handle(.callFailed(call.id, failure))
                } else {
                    following = harness.reply(to: call)
                }
                effects += following
                open += following.calls
            }
            let passed = harness.pass(.milliseconds(100))
            effects += passed
            open += passed.calls
        }
        return (failed, effects)
    }

    private func eventKinds(in effects: [Effect]) -> [PublishedEvent.Kind] {
        effects.commits.flatMap(\.writes).compactMap { if case .event(let event) = $0 { event.kind } else { nil } }
    }

    @Test func `with batches blocked, single calls serve all addresses and the events do not repeat`() {
        let harness = KeeperHarness(ignoring: .all)
        let all = addresses(200)
        let calls = harness.add(all).calls
        let (failed, effects) = run(harness, calls, for: .seconds(590)) {
            $0.endpoint == .batch ? CallFailure(kind: .unauthorized, message: "HTTP status 403") : nil
        }
        #expect(all.allSatisfy { harness.show($0)?.state == .fresh })
        #expect(failed[.batch, default: 0] <= 30, "the backoff grows to a minute")
        let kinds = eventKinds(in: effects)
        #expect(kinds.filter { $0 == .providerFailed }.count == 1)
        #expect(kinds.filter { $0 == .providerRecovered }.isEmpty)
    }

    @Test func `with a batch endpoint that returns error pages, no address fails`() {
        let harness = KeeperHarness(ignoring: .all)
        let all = addresses(150)
        let calls = harness.add(all).calls
        let (_, effects) = run(harness, calls, for: .seconds(200)) {
            $0.endpoint == .batch ? CallFailure(kind: .rejected, message: "HTTP status 404") : nil
        }
        #expect(all.allSatisfy { harness.show($0)?.state == .fresh })
        let kinds = eventKinds(in: effects)
        #expect(!kinds.contains(.failed))
    }

    @Test func `replies without a usable element count as failures, at both endpoints`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let all = addresses(2)
        harness.add(all)
        var open = harness.pass(Limits.gather).calls[...]
        for _ in 0..<20 {
            if open.isEmpty { open += harness.pass(.seconds(10)).calls }
            guard let call = open.popFirst() else { continue }
            let reply = Reply(sentAt: harness.now, answers: [:], quota: ReportedQuota(remaining: nil, resetsIn: nil))
            open += harness.handle(.replied(call.id, reply)).calls
        }
        let provider = harness.keeper.status(at: harness.now).provider
        #expect(provider.state == .failing)
        #expect(harness.show(all[0])?.failure?.kind == .malformed)
    }

    @Test func `failures of calls that were in flight together count once`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let first = try #require(harness.add(addresses(2_000)).calls.first)
        harness.pass(.milliseconds(1))
        let calls = harness.reply(to: first).calls
        #expect(calls.count == Limits.callsInFlight)
        for call in calls { harness.fail(call, .rejected) }
        let endpoints = harness.keeper.status(at: harness.now).provider.endpoints
        let batch = try #require(endpoints.first { $0.endpoint == .batch })
        #expect(batch.state == .failing)
        #expect(harness.pass(.seconds(1)).calls.contains { $0.endpoint == .batch }, "tried again after one delay")
    }

    // MARK: Which of the two is at fault

    @Test func `if every call for the only address fails, the provider is at fault, not the address`() {
        let health = Call.Endpoint.allCases.map {
            SavedHealth(
                provider: Settings.unlimitedProvider.providerEndpoint, endpoint: $0, state: .ok, since: start.wall)
        }
        let entry = Entry(watch: Watch(byClient: true))
        let harness = KeeperHarness(
            ignoring: .all, entries: storedEntries(addresses(1), entry), restored: Restored(health: health))
        let (_, effects) = run(harness, [], for: .seconds(60)) { _ in
            CallFailure(kind: .rejected, message: "HTTP status 503")
        }
        #expect(eventKinds(in: effects) == [.providerFailed])
        let outages = effects.commits.flatMap(\.writes).count { if case .outage = $0 { true } else { false } }
        #expect(outages > 0)
        #expect(harness.show(addresses(1)[0])?.failure?.attempts ?? 0 > 1, "the failure of the provider")
    }

    @Test(arguments: [Settings.unlimitedProvider, Settings()])
    func `an address that makes only batches fail is looked up alone`(settings: Settings) {
        let harness = KeeperHarness(ignoring: .all, settings: settings)
        let all = addresses(64)
        let calls = harness.add(all).calls
        let (_, effects) = run(harness, calls, for: .seconds(280)) {
            $0.endpoint == .batch && $0.addresses.contains(all[40])
                ? CallFailure(kind: .rejected, message: "HTTP status 500") : nil
        }
        #expect(all.allSatisfy { harness.show($0)?.state == .fresh })
        #expect(!eventKinds(in: effects).contains(.failed))
    }

    // MARK: Trials

    /// Returns a harness in which an endpoint has failed and the other one works. Nothing is due.
    private func harness(failing endpoint: Call.Endpoint, _ failure: CallFailure) -> KeeperHarness {
        let harness = KeeperHarness(ignoring: .all)
        let calls = harness.add(addresses(2)).calls
        _ = run(harness, calls, for: .seconds(5)) { $0.endpoint == endpoint ? failure : nil }
        if endpoint == .single {
            // A lone address is looked up by a single call.
            _ = run(harness, harness.add(addresses(1, from: 0x0200_0000)).calls, for: .seconds(1)) {
                $0.endpoint == endpoint ? failure : nil
            }
        }
        #expect(harness.keeper.provider[endpoint].isFailing && !harness.keeper.provider[endpoint.other].isFailing)
        return harness
    }

    /// Returns the endpoints of the calls for a lookup that a client waits for.
    private func endpoints(ofLookup address: UInt32, in harness: KeeperHarness) -> [Call.Endpoint] {
        let calls = harness.ask(.show([IPAddress(v4: address)], wait: .seconds(30))).1.calls
        return (calls + harness.pass(Limits.gather).calls).map(\.endpoint)
    }

    @Test(arguments: Call.Endpoint.allCases)
    func `a client does not wait for the trial of a failing endpoint`(endpoint: Call.Endpoint) throws {
        let harness = harness(failing: endpoint, CallFailure(kind: .unauthorized, message: "HTTP status 403"))
        let retryAt = try #require(harness.keeper.provider[endpoint].retryAt)
        harness.pass(retryAt - harness.now.boot)
        #expect(endpoints(ofLookup: 0x0300_0001, in: harness) == [endpoint.other])
    }

    @Test func `a refused endpoint without background refreshes is tried a minute after the refusal`() throws {
        let harness = harness(
            failing: .batch,
            CallFailure(
                kind: .throttled, message: "HTTP status 429",
                quota: ReportedQuota(remaining: 0, resetsIn: .seconds(30))))
        #expect(harness.keeper.provider[.batch].retryAt == nil, "the quota window replaces the backoff")
        var trials = 0
        for lookup in 1...9 {
            let calls = harness.ask(.show([IPAddress(v4: 0x0300_0000 + UInt32(lookup))], wait: .seconds(30))).1.calls
            for call in calls + harness.pass(Limits.gather).calls {
                if call.endpoint == .batch { trials += 1 }
                harness.reply(to: call)
            }
            harness.pass(.seconds(10))
        }
        #expect(trials > 0)
    }

    @Test func `refusals that may end at once do not cause more than the backoff's calls`() {
        let harness = KeeperHarness(ignoring: .all)
        let calls = harness.add(addresses(200)).calls
        let refusal = CallFailure(kind: .throttled, message: "HTTP status 429", retryAfter: .zero)
        let (failed, _) = run(harness, calls, for: .seconds(600)) { _ in refusal }
        for endpoint in Call.Endpoint.allCases { #expect((1...30).contains(failed[endpoint, default: 0])) }
    }

    @Test func `during an outage, refreshes that a client waits for are tried, too`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let watched = addresses(200)
        let failure = CallFailure(kind: .rejected, message: "HTTP status 503")
        _ = run(harness, harness.add(watched).calls, for: .seconds(60)) { _ in failure }
        let awaited = IPAddress(v4: 0x0300_0001)
        let (id, effects) = harness.ask(.show([awaited], wait: .seconds(600)))
        let (_, following) = run(harness, effects.calls, for: .seconds(300)) { _ in failure }
        #expect((effects + following).calls.contains { $0.addresses == [awaited] })
        #expect(following.answer(to: id) != nil)
    }
}
