import RecordKeeping
import Testing

@testable import Daemon

@Suite struct RateLimitTests {
    private static func second(_ seconds: Double) -> BootTime { BootTime(nanoseconds: Int64(seconds * 1e9)) }

    /// Spends at each of these seconds, and returns which attempts were allowed.
    private static func spend(_ rateLimit: inout RateLimit, at seconds: Double...) -> [Bool] {
        seconds.map { rateLimit.spend(at: second($0)) }
    }

    @Test func `a burst is allowed at once, then one use per interval`() {
        var rateLimit = RateLimit(atOnce: 3, interval: .seconds(10))
        let first = Self.spend(&rateLimit, at: 100, 100, 100, 100, 100)
        #expect(first == [true, true, true, false, false])
        #expect(rateLimit.wait(at: Self.second(100)) == .seconds(10))
        let later = Self.spend(&rateLimit, at: 109.9, 110, 110, 120)
        #expect(later == [false, true, false, true])
    }

    @Test func `an unused rateLimit is restored, but never exceeds the burst`() {
        var rateLimit = RateLimit(atOnce: 2, interval: .seconds(10))
        let all = Self.spend(&rateLimit, at: 0, 0, 86_400, 86_400, 86_400, 86_400)
        #expect(all == [true, true, true, true, false, false])
    }

    @Test func `the rate is never exceeded in the long run`() {
        var rateLimit = RateLimit(atOnce: 5, interval: .seconds(2))
        var spent: [Double] = []
        var time = 0.0
        while time < 1_000 {
            if rateLimit.spend(at: Self.second(time)) { spent.append(time) }
            time += Double.random(in: 0...0.7)
        }
        for (index, first) in spent.enumerated() {
            let within = spent[index...].prefix { $0 <= first + 100 }.count
            #expect(within <= 5 + 50)
        }
        #expect(spent.count >= 400, "allowed actions are not held back")
    }
}
