import Glibc
import Testing

@testable import ipctl

/// The time limit of a command, and the delays of reconnecting, in simulated time.
@Suite struct HookLimitTests {
    @Test func `a command that exceeds its limit gets SIGTERM, and SIGKILL five seconds later`() {
        var limit = HookLimit(until: 1_000)
        #expect(limit.nextSignal == 1_000 && !limit.isExceeded)
        let first = [999, 1_000, 1_000, 5_999].map { limit.signal(at: $0) }
        #expect(first == [nil, SIGTERM, nil, nil])
        #expect(limit.nextSignal == 6_000 && limit.isExceeded)
        let second = [6_500, 99_000].map { limit.signal(at: $0) }
        #expect(second == [SIGKILL, nil])
        #expect(limit.nextSignal == nil && limit.isExceeded)
    }

    @Test func `a limit can be lowered, but not raised or renewed`() {
        var limit = HookLimit(until: 1_000)
        limit.lower(to: 2_000)
        #expect(limit.nextSignal == 1_000)
        limit.lower(to: 500)
        let signal = limit.signal(at: 500)
        #expect(signal == SIGTERM)
        limit.lower(to: 0)
        #expect(limit.nextSignal == 5_500)
    }

    @Test func `the first attempt to reconnect is made at once, and later ones after growing delays`() {
        var delays = HookDelays()
        let times = (0..<9).map { _ in delays.nextAttempt(at: 0) }
        #expect(times == [0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
        let last = [299_999, 300_000].map { delays.nextAttempt(at: $0) }
        #expect(last == [304_999, nil])
    }

    @Test func `a daemon that fails soon after a reconnection is contacted after a delay`() {
        var delays = HookDelays()
        _ = delays.nextAttempt(at: 0)
        delays.connected(at: 1_000)
        let soon = delays.nextAttempt(at: 2_000)
        #expect(soon == 2_100)
        delays.connected(at: 3_000)
        let later = delays.nextAttempt(at: 13_000)
        #expect(later == 13_000)
    }
}
