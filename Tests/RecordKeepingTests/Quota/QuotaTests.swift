import Testing

@testable import RecordKeeping

@Suite struct QuotaTests {
    private let start = BootTime(nanoseconds: 0)
    private func second(_ second: Double) -> BootTime { start + .milliseconds(Int64(second * 1_000)) }
    private func reported(_ remaining: Int?, _ seconds: Int?) -> ReportedQuota {
        ReportedQuota(remaining: remaining, resetsIn: seconds.map { .seconds($0) })
    }

    @Test func `an endpoint without a known quota gets one call at a time`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        #expect(quota.room(at: start) == 1)
        #expect(quota.needsReservation, "a call must be reserved on disk before it is sent")
        quota.sent(at: start, .one)
        #expect(quota.room(at: start) == 0)
    }

    @Test func `a reply without a quota shows that there is none`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(nil, nil), succeeded: true, at: start)
        #expect(quota.room(at: start) == Limits.callsInFlight)
        #expect(quota.limit == nil)
    }

    @Test func `an error without a quota shows nothing`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(nil, nil), succeeded: false, at: start)
        #expect(quota.room(at: start) == 1)
    }

    @Test func `the remaining quota is that of the last reply, less the calls in flight`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(3, 50), succeeded: true, at: start)
        #expect(quota.room(at: start) == 3)
        quota.sent(at: start, .one)
        quota.sent(at: start, .one)
        #expect(quota.room(at: start) == 1)
        quota.returned(reported(1, 50), succeeded: true, at: start)
        #expect(quota.room(at: start) == 0)
        quota.returned(reported(2, 50), succeeded: true, at: start)
        #expect(quota.room(at: start) == 1, "a reply that arrives late does not raise the quota")
    }

    @Test func `nothing is sent until one second after the reported end of the window`() {
        var quota = Quota(endpoint: .single, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(0, 10), succeeded: true, at: start)
        #expect(quota.isExhausted(at: second(10.9)))
        #expect(quota.room(at: second(10.9)) == 0)
        #expect(quota.room(at: second(11)) == 1, "the new window is unknown: one call at a time")
    }

    @Test(arguments: [nil, 45], [39, 44])
    func `a limit falls with the next window, and rises again`(documented: Int?, highest: Int) {
        var quota = Quota(endpoint: .single, documented: documented)
        // The windows begin a minute and a second apart, each with a call whose reply reports these numbers.
        for (window, left) in [highest, 2, 2, highest].enumerated() {
            let now = second(61 * Double(window))
            if window >= 2 { #expect(quota.room(at: now) == 3, "the last window allowed three calls") }
            quota.sent(at: now, .one)
            quota.returned(reported(left, 60), succeeded: true, at: now)
            #expect(quota.room(at: now) == min(left, Limits.callsInFlight))
            #expect(quota.left(at: now) == left)
        }
        #expect(quota.limit == highest + 1)
    }

    @Test func `a limit falls although a call of an earlier window was lost`() {
        var quota = Quota(endpoint: .single, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(39, 60), succeeded: true, at: start)
        quota.sent(at: second(61), .one)
        quota.returned(nil, succeeded: false, sentAt: second(61), at: second(71))
        // The lost call arrived at 73 s at the latest, and its window ended at 134 s.
        quota.sent(at: second(135), .one)
        quota.returned(reported(2, 60), succeeded: true, at: second(135))
        #expect(quota.limit == 3)
    }

    @Test func `documented limits apply from the start, and in each window`() {
        var quota = Quota(endpoint: .batch, documented: 15)
        #expect(quota.room(at: start) == Limits.callsInFlight)
        for _ in 0..<15 {
            quota.sent(at: start, .one)
            quota.returned(nil, succeeded: false, at: start)
        }
        #expect(quota.room(at: second(62.9)) == 0, "calls without a reported quota are counted, too")
        #expect(quota.room(at: second(63)) == Limits.callsInFlight)
    }

    @Test func `a late reply of an ended window changes nothing`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.sent(at: start, .one)
        quota.returned(reported(5, 60), succeeded: true, at: second(1))
        quota.returned(reported(0, 1), succeeded: true, at: second(2))
        #expect(quota.window.count?.remaining == 5)
    }

    @Test func `a reserved call counts as spent until it is sent`() {
        var quota = Quota(endpoint: .batch, documented: 2)
        quota.reserve(1, at: start)
        #expect(quota.room(at: start) == 1)
        quota.reservationBegan()
        quota.reservationCommitted()
        #expect(quota.reserved(at: start) == 1 && quota.room(at: start) == 1)
        quota.sent(at: start, .one)
        #expect(quota.reserved(at: start) == 0 && quota.room(at: start) == 1)
    }

    @Test func `a window survives a restart, with calls in flight counted as spent`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(5, 30), succeeded: true, at: start)
        quota.sent(at: start, .one)
        let saved = quota.saved(by: "http://ip-api.com", at: Instant(boot: start, wall: WallTime(milliseconds: 0)))
        var restarted = Quota(endpoint: .batch, documented: nil)
        restarted.restore(saved, at: second(5))
        #expect(restarted.room(at: second(5)) == 4)
        #expect(restarted.room(at: second(31)) == 6, "as many as the last window allowed")
    }

    @Test func `a reported limit applies in the next window, even if every reply is lost`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(2, 30), succeeded: true, at: start)
        for lost in 1...3 {
            #expect(quota.room(at: second(40)) > 0, "call \(lost)")
            quota.sent(at: second(40), .one)
            quota.returned(nil, succeeded: false, at: second(40))
        }
        #expect(quota.room(at: second(102)) == 0)
        #expect(quota.room(at: second(103)) == 3)
    }

    @Test func `an error with no requests left does not close an endpoint permanently`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(0, 60), succeeded: false, at: start)
        #expect(quota.room(at: second(60)) == 0)
        #expect(quota.room(at: second(61)) == 1)
    }

    @Test func `a slow reply does not restore requests that later replies reported as spent`() {
        var quota = Quota(endpoint: .batch, documented: 3)
        for _ in 1...3 { quota.sent(at: start, .one) }
        quota.returned(reported(1, 59), succeeded: true, sentAt: start, at: second(1))
        quota.returned(reported(0, 59), succeeded: true, sentAt: start, at: second(1))
        quota.returned(reported(2, 59), succeeded: true, sentAt: start, at: second(9))
        #expect(quota.isExhausted(at: second(60)))
    }

    @Test func `a prompt reply after a slow one counts, even though it reports an earlier end`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(2, 60), succeeded: true, sentAt: start, at: second(9))
        for number in 1...2 {
            quota.sent(at: second(10), .one)
            quota.returned(reported(2 - number, 50), succeeded: true, at: second(10))
        }
        #expect(quota.isExhausted(at: second(60.9)))
        #expect(quota.room(at: second(61)) == 3)
    }

    @Test func `a rejected call may not have been counted`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(1, 60), succeeded: false, at: start)
        #expect(quota.limit == 1)
        quota.sent(at: second(59), .one)
        quota.returned(nil, succeeded: false, at: second(60))
        #expect(quota.isExhausted(at: second(122.9)), "the lost call may have begun the provider's next window")
        #expect(quota.room(at: second(123)) == 1)
    }

    @Test(arguments: [nil, 15])
    func `a clock that was set back does not close a window for longer than its length`(documented: Int?) {
        let tomorrow = Instant(boot: second(86_400), wall: WallTime(milliseconds: 0))
        var quota = Quota(endpoint: .batch, documented: documented)
        quota.restore(
            SavedWindow(
                provider: nil, endpoint: .batch, limit: 15, remaining: 0, resetsAt: tomorrow, length: .seconds(60)),
            at: start)
        #expect(quota.isExhausted(at: second(62.9)))
        #expect(!quota.isExhausted(at: second(63)))
    }

    @Test func `a window begins with its first call, not with a reservation`() {
        var quota = Quota(endpoint: .batch, documented: 1)
        quota.reserve(1, at: start)
        quota.reservationBegan()
        quota.reservationCommitted()
        let onDisk = quota.saved(by: "http://ip-api.com", at: Instant(boot: start, wall: WallTime(milliseconds: 0)))
        quota.sent(at: second(20), .one)
        quota.returned(nil, succeeded: false, at: second(20))
        #expect(quota.isExhausted(at: second(82)))
        // If it is killed right after the call, the daemon knows only the reservation.
        var restarted = Quota(endpoint: .batch, documented: 1)
        restarted.restore(onDisk, at: second(25))
        #expect(restarted.isExhausted(at: second(60)))
    }

    @Test func `an unused reservation expires`() {
        var quota = Quota(endpoint: .batch, documented: 1)
        quota.reserve(1, at: start)
        quota.reservationBegan()
        quota.reservationCommitted()
        quota.endWindow(at: second(31))
        #expect(quota.reserved(at: second(31)) == 0)
        #expect(quota.room(at: second(31)) == 1)
    }

    @Test func `the first reply after a reboot sets the end of the window, and is counted`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.restore(
            SavedWindow(
                provider: nil, endpoint: .batch, limit: 3, remaining: 2,
                resetsAt: Instant(boot: start, wall: WallTime(milliseconds: 0)), length: .seconds(60),
                isOfEarlierBoot: true), at: second(3))
        for _ in 0..<2 { quota.sent(at: second(3), .one) }
        quota.returned(reported(1, 4), succeeded: true, at: second(4))
        #expect(quota.room(at: second(4)) == 0, "one call is still in flight")
        #expect(!quota.isExhausted(at: second(9)))
    }

    @Test func `error pages that overtake each other do not enlarge a window`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(2, 60), succeeded: true, at: start)
        for _ in 0..<3 { quota.sent(at: second(100), .one) }
        for left in [2, 0, 1] { quota.returned(reported(left, 60), succeeded: false, at: second(100)) }
        #expect(quota.room(at: second(100)) == 0)
    }

    @Test(arguments: [-86_400, 0, 86_400])
    func `a window of an earlier boot ends one full window after the reboot, whatever the wall clock says`(off: Double)
    {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.restore(
            SavedWindow(
                provider: nil, endpoint: .batch, limit: 3, remaining: 1,
                resetsAt: Instant(boot: second(off), wall: WallTime(milliseconds: 0)), length: .seconds(30),
                isOfEarlierBoot: true), at: second(12))
        #expect(quota.room(at: second(12)) == 1)
        quota.sent(at: second(12), .one)
        #expect(quota.isExhausted(at: second(62.9)))
        #expect(!quota.isExhausted(at: second(63)))
    }
}
