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
        let calls = harness.reply(to: first).calls
        #expect(calls.count == Limits.callsInFlight)
        for call in calls { harness.fail(call, .rejected) }
        let endpoints = harness.keeper.status(at: harness.now).provider.endpoints
        let batch = try #require(endpoints.first { $0.endpoint == .batch })
        #expect(batch.state == .failing)
        #expect(harness.pass(.seconds(1)).calls.contains { $0.endpoint == .batch }, "tried again after one delay")
    }
}
