import Testing

@testable import RecordKeeping

@Suite struct EndpointHealthTests {
    private let start = KeeperHarness.start
    private func second(_ second: Int) -> Instant { start.advanced(by: .seconds(second)) }

    /// Fails a call that was sent at `sentAt`, or else a nanosecond before `now`.
    private func fail(
        _ health: inout EndpointHealth, _ kind: Failure.Kind, mayRetryAtOnce: Bool = false,
        retryAfter: Duration? = nil, sentAt: Instant? = nil, at now: Instant
    ) -> Bool {
        var random = Random(seed: 1)
        return health.failed(
            CallFailure(kind: kind, message: "\(kind)", retryAfter: retryAfter),
            sentAt: sentAt?.boot ?? now.boot + .nanoseconds(-1), mayRetryAtOnce: mayRetryAtOnce, at: now,
            random: &random)
    }

    @Test func `the first failure of a series is new, and so is a change of the state`() {
        var health = EndpointHealth(since: start.wall)
        #expect(health.state == .idle)
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
        var health = EndpointHealth(since: start.wall)
        for attempt in 1...20 { _ = fail(&health, .timeout, at: second(attempt)) }
        #expect(health.retryAt.map { (second(50).boot...second(80).boot).contains($0) } == true)
        health.succeeded(sentAt: second(59).boot, at: second(60))
        #expect(health.retryAt == nil && !health.isFailing && health.state == .ok)
    }

    @Test func `failures of calls that were sent before the last failure do not count`() {
        var health = EndpointHealth(since: start.wall)
        _ = fail(&health, .timeout, sentAt: start, at: second(1))
        let retryAt = health.retryAt
        for _ in 0..<7 {
            let isNew = fail(&health, .unauthorized, sentAt: start, at: second(2))
            #expect(!isNew)
        }
        #expect(health.failure?.attempts == 1 && health.state == .failing && health.retryAt == retryAt)
        #expect(health.failures == 8, "the statistics count each")
        _ = fail(&health, .timeout, sentAt: second(2), at: second(3))
        #expect(health.failure?.attempts == 2)
    }

    @Test func `a quota window replaces the backoff, and a refresh ends a backoff unless calls are refused`() {
        var health = EndpointHealth(since: start.wall)
        _ = fail(&health, .throttled, mayRetryAtOnce: true, at: start)
        #expect(health.retryAt == nil && health.isFailing)
        _ = fail(&health, .throttled, at: second(1))
        health.retryNow()
        #expect(health.retryAt != nil, "the delay takes the place of an unknown window")
        _ = fail(&health, .rejected, at: second(2))
        health.retryNow()
        #expect(health.retryAt == nil && health.isFailing)
    }

    @Test func `the time in Retry-After is observed, and nothing ends the wait early`() {
        var health = EndpointHealth(since: start.wall)
        _ = fail(&health, .rejected, retryAfter: .seconds(120), at: start)
        #expect(health.retryAfterEnd == second(120).boot)
        health.retryNow()
        #expect(health.retryAt == second(120).boot)
        _ = fail(&health, .rejected, retryAfter: .seconds(300), sentAt: start, at: second(1))
        #expect(health.retryAt == second(301).boot, "another call in flight reported a later time")
        _ = fail(&health, .rejected, retryAfter: .zero, at: second(302))
        #expect(health.retryAt.map { $0 > second(302).boot } == true, "the backoff is not shortened")
        _ = fail(&health, .rejected, retryAfter: .seconds(1_000_000), at: second(400))
        #expect(health.retryAt == second(400).boot + Limits.maxRetryAfter)
    }

    @Test func `a short time in Retry-After does not keep a refresh from ending the backoff`() {
        var health = EndpointHealth(since: start.wall)
        for attempt in 1...8 { _ = fail(&health, .rejected, retryAfter: .seconds(2), at: second(attempt)) }
        #expect(health.retryAt.map { $0 > second(10).boot } == true)
        health.retryNow()
        #expect(health.retryAt == second(10).boot)
    }

    @Test func `a call that was sent before the request to wait does not end the wait`() {
        var health = EndpointHealth(since: start.wall)
        _ = fail(&health, .rejected, retryAfter: .seconds(120), sentAt: start, at: second(1))
        health.succeeded(sentAt: start.boot, at: second(2))
        #expect(health.retryAt == second(121).boot && health.isFailing)
        health.succeeded(sentAt: second(121).boot, at: second(122))
        #expect(health.retryAt == nil && !health.isFailing)
    }

    @Test func `failures of calls that were sent before a successful one do not count`() {
        var health = EndpointHealth(since: start.wall)
        _ = fail(&health, .rejected, sentAt: start, at: second(1))
        health.succeeded(sentAt: second(2).boot, at: second(3))
        let isNew = fail(&health, .timeout, retryAfter: .seconds(120), sentAt: start, at: second(10))
        #expect(!isNew && !health.isFailing && health.retryAt == nil && health.failures == 2)
    }

    @Test(arguments: [false, true])
    func `of calls that were sent together, one success shows that the endpoint works`(successIsFirst: Bool) {
        var health = EndpointHealth(since: start.wall)
        if successIsFirst { health.succeeded(sentAt: start.boot, at: second(1)) }
        _ = fail(&health, .unreachable, sentAt: start, at: second(2))
        if !successIsFirst { health.succeeded(sentAt: start.boot, at: second(3)) }
        #expect(!health.isFailing && health.state == .ok && health.failures == 1)
    }

    @Test(arguments: [false, true])
    func `of calls that were sent together, one request to wait is observed`(successIsFirst: Bool) {
        var health = EndpointHealth(since: start.wall)
        if successIsFirst { health.succeeded(sentAt: start.boot, at: second(1)) }
        _ = fail(&health, .throttled, retryAfter: .seconds(120), sentAt: start, at: second(2))
        if !successIsFirst { health.succeeded(sentAt: start.boot, at: second(3)) }
        #expect(health.isFailing && health.retryAt == second(122).boot)
    }

    @Test(arguments: [nil, Duration.seconds(120)])
    func `the health survives a restart, and a wrong clock does not extend the delay`(retryAfter: Duration?) {
        var health = EndpointHealth(since: start.wall)
        _ = fail(&health, .rejected, retryAfter: retryAfter, at: start)
        var saved = health.saved(by: "http://example", as: .batch, at: start)
        #expect(saved.provider == "http://example" && saved.endpoint == .batch)
        #expect(saved.retryAt?.boot == health.retryAt && saved.isFromRetryAfter == (retryAfter != nil))
        saved.retryAt = second(86_400)
        saved.failure?.at.boot = second(86_400).boot
        var restored = EndpointHealth(since: second(1).wall)
        restored.restore(saved, at: second(1))
        #expect(restored.state == .failing && restored.since == start.wall && restored.alert == .published)
        let maximum = retryAfter == nil ? .seconds(60) : Limits.maxRetryAfter
        #expect(restored.retryAt == second(1).boot + maximum)
        _ = fail(&restored, .rejected, sentAt: second(2), at: second(3))
        #expect(restored.failure?.attempts == 2, "a failure with a time in the future does not hide later ones")
    }
}
