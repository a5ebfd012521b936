import Testing

@testable import RecordKeeping

@Suite struct ProviderHealthTests {
    private let start = KeeperHarness.start

    /// The health of the provider, and the alerts that its calls lead to.
    private struct Calls {
        var health = ProviderHealth(since: KeeperHarness.start.wall)
        private var now = KeeperHarness.start

        /// Fails a call one second after the last one.
        ///
        /// - Returns: whether an alert is to be published.
        mutating func fail(_ endpoint: Call.Endpoint, _ kind: Failure.Kind = .rejected) -> Bool {
            var random = Random(seed: 1)
            let sentAt = now.boot + .milliseconds(1)
            now = now.advanced(by: .seconds(1))
            return health.failed(
                CallFailure(kind: kind, message: "\(endpoint)"), of: endpoint, sentAt: sentAt, mayRetryAtOnce: false,
                at: now, random: &random)
        }

        mutating func succeed(_ endpoint: Call.Endpoint) -> ProviderHealth.Recovery {
            now = now.advanced(by: .seconds(1))
            return health.succeeded(endpoint, sentAt: now.boot, at: now)
        }
    }

    @Test func `calls are counted by endpoint, and the last one is known`() {
        var health = ProviderHealth(since: start.wall)
        #expect(health.worst.state == .idle && health.lastCallAt == nil)
        health.called(.single, at: start)
        health.called(.batch, at: start.advanced(by: .seconds(2)))
        health.called(.batch, at: start.advanced(by: .seconds(1)))
        #expect(health.calls == 3 && health[.single].calls == 1 && health[.batch].calls == 2)
        #expect(health.lastCallAt == start.advanced(by: .seconds(1)).wall)
    }

    @Test func `the state is the worst of the endpoints, and the provider fails if both do`() {
        var calls = Calls()
        _ = calls.succeed(.single)
        #expect(calls.health.worst.state == .ok)
        _ = calls.fail(.batch, .throttled)
        #expect(calls.health.worst.state == .throttled && !calls.health.isFailing && calls.health.retryAt == nil)
        _ = calls.fail(.single, .unauthorized)
        #expect(calls.health.worst.state == .unauthorized && calls.health.failure?.message == "single")
        #expect(calls.health.retryAt == calls.health[.batch].retryAt, "the endpoint that failed first is tried first")
    }

    @Test func `one alert covers the failure of both endpoints, and another covers their recovery`() {
        var calls = Calls()
        let alerts = [calls.fail(.batch), calls.fail(.single), calls.fail(.batch), calls.fail(.single)]
        #expect(alerts == [true, false, false, false])
        let recoveries = [calls.succeed(.single), calls.succeed(.batch), calls.succeed(.single)]
        #expect(recoveries == [.provider, .none, .none])
    }

    @Test func `an endpoint that keeps failing after the other has recovered is reported`() {
        var calls = Calls()
        _ = (calls.fail(.batch), calls.fail(.single))
        #expect(calls.succeed(.single) == .provider)
        let alerts = [calls.fail(.batch), calls.fail(.batch)]
        #expect(alerts == [true, false])
        let recoveries = [calls.succeed(.single), calls.succeed(.batch)]
        #expect(recoveries == [.none, .endpoint])
    }

    @Test func `an endpoint that fails alone has alerts of its own, and a later failure of the other has, too`() {
        var calls = Calls()
        _ = calls.succeed(.single)
        let first = calls.fail(.batch)
        #expect(first)
        #expect(calls.succeed(.single) == .none)
        let second = calls.fail(.single)
        #expect(second, "until now, single calls worked")
        let recoveries = [calls.succeed(.single), calls.succeed(.batch)]
        #expect(recoveries == [.endpoint, .endpoint])
    }

    @Test func `a different failure of the other endpoint is reported`() {
        var calls = Calls()
        let alerts = [calls.fail(.batch, .throttled), calls.fail(.single, .unauthorized)]
        #expect(alerts == [true, true])
    }

    @Test func `a change of the state of both endpoints leads to one alert`() {
        var calls = Calls()
        _ = (calls.fail(.batch, .throttled), calls.fail(.single, .throttled))
        let alerts = [calls.fail(.single, .unauthorized), calls.fail(.batch, .unauthorized)]
        #expect(alerts == [true, false])
    }

    @Test func `an alert about one endpoint does not cover a later failure of the other`() {
        var calls = Calls()
        _ = (calls.succeed(.single), calls.fail(.batch), calls.succeed(.single))
        let first = calls.fail(.single)
        #expect(first, "single calls worked until now")
        #expect(calls.succeed(.batch) == .endpoint)
        let second = calls.fail(.batch)
        #expect(second, "batch calls worked until now")
    }

    @Test func `after a restart, an alert about one endpoint does not cover a failure of the other`() {
        var calls = Calls()
        _ = (calls.succeed(.single), calls.fail(.batch), calls.succeed(.single))
        let now = KeeperHarness.start.advanced(by: .seconds(3))
        for order in [Call.Endpoint.allCases, Call.Endpoint.allCases.reversed()] {
            var restarted = Calls()
            for endpoint in order {
                let saved = calls.health[endpoint].saved(by: "http://example", as: endpoint, at: now)
                restarted.health.restore(saved, at: now)
            }
            let isAlert = restarted.fail(.single)
            #expect(isAlert)
        }
    }

    @Test func `a success counts since the last failure of any endpoint`() {
        var calls = Calls()
        #expect(!calls.health.hasSucceededSinceFailure)
        _ = (calls.succeed(.single), calls.fail(.batch))
        #expect(!calls.health.hasSucceededSinceFailure)
        _ = calls.succeed(.single)
        #expect(calls.health.hasSucceededSinceFailure)
    }

    @Test func `a failure that ends before the other endpoint is called concerns the provider`() {
        var calls = Calls()
        _ = calls.fail(.single)
        #expect(calls.succeed(.single) == .provider)
    }
}
