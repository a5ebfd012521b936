import Testing

@testable import RecordKeeping

/// The window to which a reply refers, however long it took. Each window allows three calls.
@Suite struct QuotaWindowTests {
    private var quota = Quota(endpoint: .single, documented: 3)

    private func second(_ second: Double) -> BootTime {
        BootTime(nanoseconds: 0) + .milliseconds(Int64(second * 1_000))
    }

    private func room(at time: Double) -> Int { quota.room(at: second(time)) }

    private mutating func send(at time: Double) {
        quota.sent(at: second(time), .one)
    }

    private mutating func reply(
        _ remaining: Int, _ seconds: Int, sentAt: Double, at time: Double, succeeded: Bool = true
    ) {
        quota.returned(
            ReportedQuota(remaining: remaining, resetsIn: .seconds(seconds)), succeeded: succeeded,
            sentAt: second(sentAt),
            at: second(time))
    }

    private mutating func lose(sentAt: Double, at time: Double) {
        quota.returned(nil, succeeded: false, sentAt: second(sentAt), at: second(time))
    }

    private mutating func refuse(_ remaining: Int?, _ seconds: Int?, sentAt: Double, at time: Double) -> Bool {
        quota.refused(
            ReportedQuota(remaining: remaining, resetsIn: seconds.map { .seconds($0) }), sentAt: second(sentAt),
            at: second(time))
    }

    /// Reserves one call; the commit is in flight.
    private mutating func reserve(at time: Double) {
        quota.reserve(1, at: second(time))
        quota.reservationBegan()
    }

    /// Opens the first window. A prompt reply reports an end between 60 s and 61.5 s.
    private mutating func beginWindow() {
        send(at: 0)
        reply(2, 60, sentAt: 0, at: 0.5)
    }

    /// Receives a reply of the first window at this time. The next window began at 61.6 s, and a reply has reported it.
    private mutating func sleepOverReply(until time: Double) {
        beginWindow()
        send(at: 57)
        send(at: 61.6)
        reply(2, 60, sentAt: 61.6, at: 62)
        reply(1, 2, sentAt: 57, at: time)
    }

    @Test mutating func `a reply of the next window opens it, even before the latest possible end of the last one`() {
        beginWindow()
        send(at: 10)
        reply(1, 50, sentAt: 10, at: 10.5)
        #expect(room(at: 60) == 1)
        send(at: 60.2)
        reply(2, 60, sentAt: 60.2, at: 60.7)
        #expect(room(at: 60.7) == 2, "the calls of the last window do not count in the next")
    }

    @Test mutating func `a first reply during a suspend does not hide the others of its window`() {
        send(at: 0)
        reply(2, 60, sentAt: 0, at: 45)
        send(at: 46)
        reply(1, 13, sentAt: 46, at: 46.3)
        send(at: 47)
        reply(0, 12, sentAt: 47, at: 47.3)
        #expect(room(at: 48) == 0)
        #expect(room(at: 60.2) == 0)
        #expect(room(at: 60.3) == 3)
    }

    @Test mutating func `a reply during a suspend that reports no requests left is believed, and its end is ignored`() {
        beginWindow()
        // Another client has used up the quota. The provider replies at once, before the suspend.
        send(at: 20)
        reply(0, 39, sentAt: 20, at: 38)
        #expect(room(at: 38) == 0)
        #expect(room(at: 61.4) == 0)
        #expect(room(at: 61.5) == 3)
    }

    @Test mutating func `after a refusal during a suspend, no call is sent until the end of the known window`() {
        beginWindow()
        send(at: 20)
        #expect(refuse(0, 39, sentAt: 20, at: 38), "the end is known")
        #expect(room(at: 61.4) == 0)
        #expect(room(at: 61.5) > 0)
    }

    @Test mutating func `a reply during a suspend does not shorten a later window`() {
        sleepOverReply(until: 100)
        #expect(room(at: 103) == 2)
        #expect(room(at: 122.9) == 2)
    }

    @Test
    mutating func
        `a reply during a suspend until nearly the end of a later window is counted, and its end is ignored`()
    {
        sleepOverReply(until: 112)
        #expect(room(at: 112) == 1)
        #expect(room(at: 122.9) == 1)
        #expect(room(at: 123) > 1)
    }

    @Test mutating func `a window that began while only a vague end was known is defined by its own replies`() {
        send(at: 0)
        reply(2, 60, sentAt: 0, at: 45)
        send(at: 62)
        lose(sentAt: 62, at: 62.5)
        send(at: 105.5)
        reply(1, 16, sentAt: 105.5, at: 106.2)
        #expect(room(at: 106.3) == 1)
    }

    @Test mutating func `a window that begins while a vague end passes is a new one`() {
        send(at: 0)
        reply(2, 60, sentAt: 0, at: 59)
        send(at: 60.2)
        reply(2, 60, sentAt: 60.2, at: 60.4)
        #expect((1...2).contains(room(at: 121.3)))
        #expect(room(at: 121.4) == 3)
    }

    @Test mutating func `a reply that arrives while a call is being reserved counts in its window`() {
        beginWindow()
        send(at: 59.9)
        send(at: 61.2)
        reserve(at: 61.52)
        reply(1, 58, sentAt: 61.2, at: 61.53)
        quota.reservationCommitted()
        send(at: 61.55)
        #expect(room(at: 61.55) == 0)
    }

    @Test mutating func `an error page that arrives while a call is being reserved does not hide later replies`() {
        beginWindow()
        send(at: 59.9)
        reserve(at: 61.52)
        reply(2, 60, sentAt: 59.9, at: 61.53, succeeded: false)
        quota.reservationCommitted()
        send(at: 62.5)
        reply(1, 57, sentAt: 62.5, at: 62.8)
        send(at: 64)
        reply(0, 55, sentAt: 64, at: 64.3)
        #expect(room(at: 65) == 0)
    }

    @Test mutating func `a late reply does not end a window that an error page has reported`() {
        beginWindow()
        send(at: 57)
        send(at: 60.4)
        reply(2, 60, sentAt: 60.4, at: 62, succeeded: false)
        reply(1, 2, sentAt: 57, at: 65)
        #expect(room(at: 68) <= 2)
        #expect(room(at: 120) <= 2)
    }

    @Test mutating func `a slow refusal does not discard calls that were lost after its window`() {
        send(at: 0)
        reply(2, 60, sentAt: 0, at: 8)
        send(at: 50)
        send(at: 59.5)
        // The lost call may arrive until 62 s, and begin the next window then.
        lose(sentAt: 50, at: 60)
        _ = refuse(1, 0, sentAt: 59.5, at: 64)
        for time in [65, 70.0] {
            send(at: time)
            lose(sentAt: time, at: time + 0.5)
        }
        #expect(room(at: 71) == 0)
    }

    @Test mutating func `a refusal without a time applies to the known window`() {
        quota = Quota(endpoint: .single, documented: nil)
        send(at: 0)
        reply(2, 60, sentAt: 0, at: 0)
        send(at: 1)
        #expect(refuse(nil, nil, sentAt: 1, at: 1))
        #expect(room(at: 60.9) == 0)
        #expect(room(at: 61) == 1, "one call at a time after a refusal")
    }

    @Test mutating func `a call of the previous boot may have begun a window that is still open`() {
        quota = Quota(endpoint: .single, documented: nil)
        send(at: 0)
        reply(1, 60, sentAt: 0, at: 0.5)
        send(at: 60.9)
        quota.endWindow(at: second(61.6))
        var saved = quota.saved(
            by: "http://ip-api.com", at: Instant(boot: second(61.6), wall: KeeperHarness.start.wall))
        saved.isOfEarlierBoot = true
        var later = Quota(endpoint: .single, documented: nil)
        later.restore(saved, at: second(3))
        #expect(later.room(at: second(3)) == 1)
        #expect(later.room(at: second(60.9)) == 1)
        #expect(later.room(at: second(61)) == 2)
    }

    @Test mutating func `a call lost in a window without a known limit may arrive in the first reported one`() {
        quota = Quota(endpoint: .single, documented: nil)
        send(at: 0)
        send(at: 0)
        #expect(refuse(0, 3, sentAt: 0, at: 0))
        // The lost call may arrive until 5 s; the window ends at 4 s at the latest.
        lose(sentAt: 0, at: 3)
        send(at: 4)
        reply(2, 60, sentAt: 4, at: 4.2)
        #expect(room(at: 4.3) == 1)
    }
}
