import Glibc
import Testing

@testable import ipctl

/// The time limit of a command, and the delays of reconnecting, in simulated time.
@Suite struct HookLimitTests {
    @Test func `a command that exceeds its limit gets SIGTERM, and SIGKILL five seconds later`() {
        var limit = HookLimit(until: 1_000)
        #expect(limit.signal(at: 999) == nil)
        #expect(limit.nextSignal == 1_000 && !limit.isExceeded)
        #expect(limit.signal(at: 1_000) == SIGTERM)
        #expect(limit.signal(at: 1_000) == nil)
        #expect(limit.nextSignal == 6_000 && limit.isExceeded)
        #expect(limit.signal(at: 6_500) == SIGKILL)
        #expect(limit.signal(at: 99_000) == nil)
        #expect(limit.nextSignal == nil && limit.isExceeded)
    }

    @Test func `a limit can be lowered, but not raised or renewed`() {
        var limit = HookLimit(until: 1_000)
        limit.lower(to: 2_000)
        #expect(limit.nextSignal == 1_000)
        limit.lower(to: 500)
        #expect(limit.signal(at: 500) == SIGTERM)
        limit.lower(to: 0)
        #expect(limit.nextSignal == 5_500)
    }

    @Test func `the first attempt to reconnect is made at once, and later ones after growing delays`() {
        var delays = HookDelays()
        #expect(delays.nextAttempt(at: 0) == 0)
        #expect((1...8).map { _ in delays.nextAttempt(at: 0) } == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
        #expect(delays.nextAttempt(at: 299_999) == 304_999)
        #expect(delays.nextAttempt(at: 300_000) == nil)
    }

    @Test func `a daemon that fails soon after a reconnection is contacted after a delay`() {
        var delays = HookDelays()
        _ = delays.nextAttempt(at: 0)
        delays.connected(at: 1_000)
        #expect(delays.nextAttempt(at: 2_000) == 2_100)
        delays.connected(at: 3_000)
        #expect(delays.nextAttempt(at: 13_000) == 13_000)
    }
}
