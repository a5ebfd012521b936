import Testing

@testable import RecordKeeping

@Suite struct ProviderHealthTests {
    private let start = KeeperHarness.start
    private func second(_ second: Int) -> Instant { start.advanced(by: .seconds(second)) }

    private func fail(
        _ health: inout ProviderHealth, _ kind: Failure.Kind, mayRetryAtOnce: Bool = false, at now: Instant
    ) -> Bool {
        var random = Random(seed: 1)
        return health.failed(
            CallFailure(kind: kind, message: "\(kind)"), mayRetryAtOnce: mayRetryAtOnce, at: now, random: &random)
    }

    @Test func `calls are counted, and the last one is known`() {
        var health = ProviderHealth(since: start.wall)
        #expect(health.state == .idle && health.lastCallAt == nil)
        health.called(at: second(1))
        health.called(at: second(2))
        #expect(health.calls == 2 && health.lastCallAt == second(2).wall)
    }

    @Test func `the first failure of a series is new, and so is a change of the state`() {
        var health = ProviderHealth(since: start.wall)
        let isNew = fail(&health, .throttled, at: second(1))
        #expect(isNew)
        let isSecondNew = fail(&health, .throttled, at: second(2))
        #expect(!isSecondNew)
        #expect(health.state == .throttled && health.since == second(1).wall && health.failure?.attempts == 2)
        let isBanNew = fail(&health, .unauthorized, at: second(3))
        #expect(isBanNew, "a ban after a 429 changes the state")
        #expect(health.since == second(3).wall && health.failures == 3)
    }

    @Test func `the delay grows to at most a minute, and a success ends it`() {
        var health = ProviderHealth(since: start.wall)
        for _ in 0..<20 { _ = fail(&health, .timeout, at: start) }
        #expect(health.retryAt.map { (start.boot + .seconds(30)...start.boot + .seconds(60)).contains($0) } == true)
        let hadFailed = health.succeeded(at: second(60))
        #expect(hadFailed)
        #expect(health.retryAt == nil && !health.isFailing && health.state == .ok)
        let hadFailedAgain = health.succeeded(at: second(61))
        #expect(!hadFailedAgain, "nothing had failed")
    }

    @Test func `a quota window replaces the delay, and an administrator ends it`() {
        var health = ProviderHealth(since: start.wall)
        _ = fail(&health, .throttled, mayRetryAtOnce: true, at: start)
        #expect(health.retryAt == nil && health.isFailing)
        _ = fail(&health, .throttled, at: start)
        health.retryNow()
        #expect(health.retryAt == nil && health.isFailing)
    }

    @Test func `the health survives a restart, and a wrong clock does not extend the delay`() {
        var health = ProviderHealth(since: start.wall)
        _ = fail(&health, .rejected, at: start)
        var saved = health.saved(by: "http://example", at: start)
        #expect(saved.endpoint == "http://example" && saved.retryAt?.boot == health.retryAt)
        saved.retryAt = second(86_400)
        var restored = ProviderHealth(since: second(1).wall)
        restored.restore(saved, at: second(1))
        #expect(restored.state == .failing && restored.failure == health.failure && restored.since == start.wall)
        #expect(restored.retryAt == second(61).boot)
    }
}
