import RecordKeeping
import Testing

@testable import Fleet

/// The bounds of times on other clocks.
struct LeaderClocksTests {
    private func time(_ seconds: Double) -> BootTime { BootTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test func `a time of an unknown term may be of any age`() {
        let bounds = LeaderClocks().bounds(of: LeaderTime(term: 1, clock: time(5)), at: time(100))
        #expect(bounds == OwnTimeBounds(earliest: nil, latest: time(100)))
    }

    @Test func `a time is before the reply that showed a later one`() {
        var clocks = LeaderClocks()
        clocks.show(LeaderTime(term: 1, clock: time(1_000)), at: time(100))
        let bounds = clocks.bounds(of: LeaderTime(term: 1, clock: time(990)), at: time(150))
        #expect(bounds.latest == time(100 - 10 * 0.999))
        // The leader's clock may have stood still since.
        #expect(clocks.bounds(of: LeaderTime(term: 1, clock: time(1_001)), at: time(150)).latest == time(150))
    }

    @Test func `a time is after the poll that did not show the heartbeat before it`() {
        var clocks = LeaderClocks()
        clocks.bound(LeaderTime(term: 1, clock: time(1_000)), after: time(100), at: time(103))
        #expect(
            clocks.bounds(of: LeaderTime(term: 1, clock: time(1_020)), at: time(150)).earliest == time(100 + 20 * 0.999)
        )
        #expect(clocks.bounds(of: LeaderTime(term: 1, clock: time(999)), at: time(150)).earliest == nil)
    }

    @Test func `a time is after the last poll that did not show its term`() {
        var clocks = LeaderClocks()
        clocks.begin(2, after: time(50), at: time(51))
        #expect(clocks.bounds(of: LeaderTime(term: 2, clock: time(7)), at: time(60)).earliest == time(50))
    }

    @Test func `times of a term that this node led are exact`() {
        var clocks = LeaderClocks()
        clocks.lead(3, at: time(20))
        let bounds = clocks.bounds(of: LeaderTime(term: 3, clock: time(25)), at: time(60))
        #expect(bounds == OwnTimeBounds(earliest: time(25), latest: time(25)))
    }

    @Test func `a time of an earlier term is before the next term`() {
        var clocks = LeaderClocks()
        clocks.lead(3, at: time(20))
        #expect(clocks.bounds(of: LeaderTime(term: 2, clock: time(900)), at: time(60)).latest == time(20))
    }
}
