import Testing

@testable import RecordKeeping

/// Refusals (429), after which a known limit does not hold any more.
@Suite struct QuotaRefusalTests {
    private let start = BootTime(nanoseconds: 0)
    private func second(_ second: Double) -> BootTime { start + .milliseconds(Int64(second * 1_000)) }
    private func reported(_ remaining: Int?, _ seconds: Int?) -> ReportedQuota {
        ReportedQuota(remaining: remaining, resetsIn: seconds.map { .seconds($0) })
    }

    @Test func `a refusal closes the window for the reported time, and one call is sent after it`() {
        var quota = Quota(endpoint: .batch, documented: 15)
        quota.sent(at: start, .one)
        let isTimeKnown = quota.refused(reported(nil, 30), at: start)
        #expect(isTimeKnown)
        #expect(quota.room(at: second(30.9)) == 0)
        #expect(quota.room(at: second(31)) == 1)
    }

    @Test(arguments: [nil, 45])
    func `after a refusal, a success in the same window does not restore trust in the limit`(documented: Int?) {
        var quota = Quota(endpoint: .single, documented: documented)
        // The provider allows one call. It refuses the second one, but its reply arrives first.
        quota.sent(at: start, .one)
        quota.sent(at: start, .one)
        _ = quota.refused(reported(0, 60), sentAt: start, at: second(1))
        quota.returned(reported(0, 60), succeeded: true, sentAt: start, at: second(2))
        #expect(quota.presumedLimit == 1)
        #expect(quota.room(at: second(63)) == 1)
        // The connection of the next window's first call is reset, but the provider has counted the call.
        quota.sent(at: second(63), .one)
        quota.returned(nil, succeeded: false, sentAt: second(63), at: second(64))
        #expect(quota.room(at: second(65)) == 0)
        quota.sent(at: second(300), .one)
        quota.returned(reported(8, 60), succeeded: true, sentAt: second(300), at: second(301))
        #expect(quota.limit == 9, "a later window reports a higher limit")
    }

    @Test(arguments: [nil, 45])
    func `after a refusal, the next run presumes that a window allows one call`(documented: Int?) {
        var quota = Quota(endpoint: .single, documented: documented)
        quota.sent(at: start, .one)
        quota.returned(reported(14, 60), succeeded: true, sentAt: start, at: start)
        quota.sent(at: second(61), .one)
        _ = quota.refused(reported(0, 60), sentAt: second(61), at: second(61))
        #expect(quota.limit == 15, "no reply has reported a lower limit")
        // The next window's first call is in flight when the daemon crashes. The provider counts it.
        quota.sent(at: second(123), .one)
        let crash = Instant(boot: second(123), wall: WallTime(milliseconds: 0))
        let saved = quota.saved(by: "http://ip-api.com", at: crash)
        var restarted = Quota(endpoint: .single, documented: documented)
        restarted.restore(saved, at: second(124))
        #expect(restarted.room(at: second(124)) == 0)
        #expect(restarted.room(at: second(190)) == 1)
    }

    @Test(arguments: [nil, 45])
    func `after a refusal, a reply that may lack lost calls lowers the limit`(documented: Int?) {
        var quota = Quota(endpoint: .batch, documented: documented)
        quota.sent(at: start, .one)
        quota.returned(reported(8, 60), succeeded: true, sentAt: start, at: start)
        quota.sent(at: second(61), .one)
        _ = quota.refused(reported(0, 60), sentAt: second(61), at: second(61))
        // The provider, which now allows two calls, counts a call whose connection is reset, and then another.
        quota.sent(at: second(122), .one)
        quota.returned(nil, succeeded: false, sentAt: second(122), at: second(123))
        quota.sent(at: second(164), .one)
        quota.returned(reported(0, 18), succeeded: true, sentAt: second(164), at: second(165))
        #expect(quota.limit == 1)
        #expect(quota.room(at: second(190)) == 1)
    }

    @Test(arguments: [true, false], [true, false])
    func `without quota headers, the presumed limit doubles after each window whose calls succeed`(
        succeeded: Bool, isRestarted: Bool
    ) {
        var quota = Quota(endpoint: .single, documented: 45)
        quota.sent(at: start, .one)
        _ = quota.refused(reported(nil, nil), at: start)
        if isRestarted {
            let saved = quota.saved(by: "http://ip-api.com", at: Instant(boot: start, wall: WallTime(milliseconds: 0)))
            quota = Quota(endpoint: .single, documented: 45)
            quota.restore(saved, at: second(1))
            #expect(quota.limit == 45, "no reply has reported a lower limit")
        }
        quota.endWindow(at: second(100))
        #expect(quota.room(at: second(100)) == 1)
        quota.sent(at: second(100), .one)
        quota.returned(reported(nil, nil), succeeded: succeeded, at: second(100))
        #expect(quota.room(at: second(100)) == 0)
        quota.endWindow(at: second(170))
        #expect(quota.presumedLimit == (succeeded ? 2 : 1))
        for window in 2...6 {
            use(&quota, at: second(Double(window * 100)))
            quota.endWindow(at: second(Double(window * 100 + 70)))
        }
        #expect(quota.presumedLimit == (succeeded ? 45 : 32))
        #expect(quota.room(at: second(670)) == (succeeded ? Limits.callsInFlight : 1))
        quota.sent(at: second(700), .one)
        _ = quota.refused(reported(nil, nil), at: second(700))
        quota.endWindow(at: second(770))
        #expect(quota.presumedLimit == 1)
    }

    /// Uses all calls of a window successfully, one at a time, without quota headers.
    private func use(_ quota: inout Quota, at time: BootTime) {
        while quota.room(at: time) > 0 {
            quota.sent(at: time, .one)
            #expect(quota.room(at: time) == 0, "one call at a time")
            quota.returned(reported(nil, nil), succeeded: true, at: time)
        }
    }

    @Test func `without quota headers, the presumed limit stays if its calls are not all used in their own window`() {
        var quota = Quota(endpoint: .single, documented: 45)
        quota.sent(at: start, .one)
        _ = quota.refused(reported(nil, nil), at: start)
        use(&quota, at: second(100))
        quota.endWindow(at: second(170))
        #expect(quota.presumedLimit == 2)
        quota.sent(at: second(200), .one)
        quota.returned(reported(nil, nil), succeeded: true, at: second(200))
        quota.sent(at: second(255), .one)
        quota.endWindow(at: second(270))
        quota.returned(reported(nil, nil), succeeded: true, sentAt: second(255), at: second(271))
        quota.endWindow(at: second(340))
        #expect(quota.presumedLimit == 2)
    }

    @Test func `after a refusal without a time, the provider's backoff applies`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        let isTimeKnown = quota.refused(reported(nil, nil), at: start)
        #expect(!isTimeKnown)
        #expect(quota.room(at: start) == 1)
    }
}
