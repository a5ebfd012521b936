import Testing

@testable import RecordKeeping

/// Calls that the provider may have counted although their reply was lost or late.
@Suite struct QuotaLossTests {
    private let start = BootTime(nanoseconds: 0)
    private func second(_ second: Double) -> BootTime { start + .milliseconds(Int64(second * 1_000)) }
    private func reported(_ remaining: Int?, _ seconds: Int?) -> ReportedQuota {
        ReportedQuota(remaining: remaining, resetsIn: seconds.map { .seconds($0) })
    }

    @Test func `a call that is lost after the end of its window counts in the next`() {
        var quota = Quota(endpoint: .batch, documented: 2)
        quota.sent(at: start, .one)
        quota.returned(reported(1, 59), succeeded: true, at: start)
        quota.sent(at: second(59), .one)
        quota.returned(nil, succeeded: false, at: second(69))
        #expect(quota.room(at: second(69)) == 1)
    }

    @Test func `a window that a lost call may have begun ends one window length after the call was given up`() {
        var quota = Quota(endpoint: .batch, documented: 1)
        quota.sent(at: start, .one)
        quota.returned(nil, succeeded: false, at: second(10))
        #expect(quota.isExhausted(at: second(72.9)))
        #expect(!quota.isExhausted(at: second(73)))
    }

    @Test func `a call that is lost at the end of a window counts as the first of the next`() {
        var quota = Quota(endpoint: .batch, documented: 3)
        quota.sent(at: start, .one)
        quota.returned(reported(2, 59), succeeded: true, at: start)
        quota.sent(at: second(59), .one)
        quota.returned(nil, succeeded: false, at: second(59.5))
        quota.sent(at: second(60), .one)
        #expect(quota.room(at: second(60)) == 1, "three, less the call that was sent and the call that may have been")
    }

    @Test(arguments: [134, 300]) func `a late loss affects only windows that the lost call can be in`(next: Double) {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(0, 60), succeeded: true, at: start)
        // The call arrives at 72 s at the latest, so it is counted in a window that ends at 133 s at the latest.
        quota.sent(at: second(61), .one)
        quota.returned(nil, succeeded: false, sentAt: second(61), at: second(70))
        #expect(quota.room(at: second(72)) == 0)
        quota.sent(at: second(next), .one)
        quota.returned(reported(2, 60), succeeded: true, sentAt: second(next), at: second(next))
        #expect(quota.room(at: second(next)) == 2, "the first reply reports how many calls the window allows")
    }

    @Test func `a lost call that may have arrived after a reply was computed is counted`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(2, 60), succeeded: true, at: start)
        for _ in 0..<2 { quota.sent(at: second(1), .one) }
        quota.returned(nil, succeeded: false, sentAt: second(1), at: second(3))
        quota.returned(reported(1, 58), succeeded: true, sentAt: second(1), at: second(4))
        #expect(quota.room(at: second(4)) == 0)
    }

    @Test(arguments: [true, false])
    func `a late refusal of the previous window does not end the current one`(isReported: Bool) {
        var quota = Quota(endpoint: .single, documented: nil)
        quota.sent(at: second(0), .one)
        quota.returned(reported(2, 60), succeeded: true, sentAt: second(0), at: second(0.5))
        quota.sent(at: second(57), .one)
        // By the quota's own count, the window ends at 61.5 s, so this call opens the next.
        quota.sent(at: second(61.6), .one)
        if isReported { _ = quota.refused(reported(2, 59), sentAt: second(61.6), at: second(62)) }
        _ = quota.refused(reported(0, 3), sentAt: second(57), at: second(64))
        #expect(quota.room(at: second(69)) == 0)
        if !isReported { quota.returned(nil, succeeded: false, sentAt: second(61.6), at: second(69)) }
        #expect(quota.room(at: second(70)) == (isReported ? 0 : 1), "one call at a time after a refusal")
        for _ in 0..<2 where !isReported {
            quota.sent(at: second(70), .one)
            quota.returned(nil, succeeded: false, sentAt: second(70), at: second(70))
        }
        #expect(quota.room(at: second(71)) == 0, "three per window, and all may be used")
    }

    @Test(arguments: ["in flight", "lost", "lost first"])
    func `a slow reply of the previous window does not reduce the count of the current one`(fate: String) {
        var quota = Quota(endpoint: .single, documented: nil)
        quota.sent(at: second(0), .one)
        quota.returned(reported(1, 60), succeeded: true, sentAt: second(0), at: second(1.5))
        quota.sent(at: second(60), .one)
        // By the quota's own count, the window ends at 62.5 s, so this call opens the next.
        quota.reserve(1, at: second(62.6))
        quota.reservationBegan()
        quota.reservationCommitted()
        quota.sent(at: second(62.7), .one)
        func lose() { quota.returned(nil, succeeded: false, sentAt: second(62.7), at: second(66)) }
        if fate == "lost first" { lose() }
        quota.returned(reported(0, 0), succeeded: true, sentAt: second(60), at: second(66))
        if fate == "lost" { lose() }
        let now = Instant(boot: second(68), wall: KeeperHarness.start.wall)
        #expect(quota.room(at: now.boot) == 1, "two per window, and one is used")
        #expect(quota.saved(by: "http://ip-api.com", at: now).remaining == 1)
        // The same holds if the daemon is killed at that time.
        for later in [68.1, 90] {
            var restored = Quota(endpoint: .single, documented: nil)
            restored.restore(quota.saved(by: "http://ip-api.com", at: now), at: second(later))
            #expect(restored.room(at: second(later)) == 1)
        }
    }

    @Test func `a call in flight when the daemon was killed may have begun a window`() {
        var quota = Quota(endpoint: .single, documented: nil)
        quota.sent(at: second(0), .one)
        quota.returned(reported(1, 60), succeeded: true, sentAt: second(0), at: second(1))
        // The window ends at 60 s or at 61 s, so this call may be its last, or the first of the next.
        quota.reserve(1, at: second(60.5))
        quota.reservationBegan()
        let saved = quota.saved(
            by: "http://ip-api.com", at: Instant(boot: second(60.5), wall: KeeperHarness.start.wall))
        // The call may just have arrived if the machine was suspended in between.
        for start in [63, 1_000.0] {
            var restored = Quota(endpoint: .single, documented: nil)
            restored.restore(saved, at: second(start))
            #expect(restored.room(at: second(start)) == 1, "two per window, and one may be used")
            #expect(restored.room(at: second(start + 62.9)) == 1)
            #expect(restored.room(at: second(start + 63)) == 2)
        }
        var soon = Quota(endpoint: .single, documented: nil)
        soon.restore(saved, at: second(61))
        #expect(soon.room(at: second(61)) == 0)
        #expect(soon.room(at: second(62)) == 1, "the call counts in the next window, too")
        // After a reboot, the call has arrived long ago.
        var rebooted = saved
        rebooted.isOfEarlierBoot = true
        var later = Quota(endpoint: .single, documented: nil)
        later.restore(rebooted, at: second(63))
        #expect(later.room(at: second(63)) == 2)
    }

    @Test func `a late loss survives a restart`() {
        var quota = Quota(endpoint: .batch, documented: 3)
        quota.sent(at: start, .one)
        quota.returned(reported(2, 59), succeeded: true, at: start)
        quota.sent(at: second(59), .one)
        quota.returned(nil, succeeded: false, at: second(59.5))
        var restored = Quota(endpoint: .batch, documented: 3)
        restored.restore(
            quota.saved(by: "http://ip-api.com", at: Instant(boot: second(59.5), wall: KeeperHarness.start.wall)),
            at: second(62))
        #expect(restored.room(at: second(62)) == 2, "three, less the call that may have begun the window")
    }

    @Test func `the first reply after a restart sets the end of the window`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: second(0), .one)
        quota.returned(reported(1, 0), succeeded: true, sentAt: second(0), at: second(0))
        quota.reserve(1, at: second(2))
        quota.reservationBegan()
        // The call was sent at once, and the daemon was killed.
        var restored = Quota(endpoint: .batch, documented: nil)
        restored.restore(
            quota.saved(by: "http://ip-api.com", at: Instant(boot: second(2), wall: KeeperHarness.start.wall)),
            at: second(40))
        restored.sent(at: second(40), .one)
        restored.returned(reported(0, 22), succeeded: true, sentAt: second(40), at: second(40))
        #expect(restored.room(at: second(50)) == 0)
        #expect(restored.room(at: second(63)) == 2)
    }

    @Test func `a reserved call is not sent if a later reply reports that less is left`() {
        var quota = Quota(endpoint: .single, documented: nil)
        quota.sent(at: second(0), .one)
        quota.returned(reported(1, 60), succeeded: true, sentAt: second(0), at: second(1))
        // The call is sent when the provider's window may be over, and its reply comes when it is over by the quota's
        // own count as well.
        quota.sent(at: second(61), .one)
        quota.reserve(2, at: second(62.5))
        quota.reservationBegan()
        quota.reservationCommitted()
        #expect(quota.reserved(at: second(62.6)) == 1, "the call in flight may belong to the new window")
        quota.returned(reported(1, 60), succeeded: true, sentAt: second(61), at: second(62.7))
        #expect(quota.reserved(at: second(62.7)) == 1, "the call belonged to the new window")
        quota.sent(at: second(62.7), .one)
        #expect(quota.reserved(at: second(62.7)) == 0 && quota.room(at: second(62.7)) == 0)
    }

    @Test func `calls that were lost before the first reported window may arrive in it`() {
        var quota = Quota(endpoint: .single, documented: nil)
        for half in 0..<3 {
            quota.sent(at: second(Double(half) / 2), .one)
            quota.returned(nil, succeeded: false, at: second(Double(half) / 2 + 0.2))
        }
        // At 2.5 s only the first of them must have arrived. The reply reports that two are left.
        quota.sent(at: second(2.5), .one)
        quota.returned(reported(2, 60), succeeded: false, sentAt: second(2.5), at: second(2.8))
        #expect(quota.room(at: second(3)) == 0, "two lost calls may arrive later")
        quota = Quota(endpoint: .single, documented: nil)
        quota.sent(at: second(0), .one)
        quota.returned(nil, succeeded: false, at: second(0))
        quota.sent(at: second(2.5), .one)
        quota.returned(reported(2, 60), succeeded: true, sentAt: second(2.5), at: second(2.8))
        #expect(quota.room(at: second(3)) == 2, "the reported quota includes calls that must have arrived before")
    }

    @Test func `calls of the previous process may arrive in the first reported window`() throws {
        let entry = Entry(watch: Watch(byClient: true))
        for outstanding in 0...2 {
            let window = SavedWindow(
                provider: nil, endpoint: .batch, limit: nil, remaining: nil, outstanding: outstanding, resetsAt: nil,
                length: .seconds(60))
            let harness = KeeperHarness(
                ignoring: .upkeep, entries: storedEntries(addresses(2), entry),
                restored: Restored(windows: [window]))
            let call = try #require(harness.pass(Limits.gather).calls.first)
            harness.expect(.commit([.health, .history]), .call(addresses(2), .batch))
            harness.reply(to: call, quota: ReportedQuota(remaining: 2, resetsIn: .seconds(60)))
            harness.expect(.commit(.records(of: addresses(2), cohort: 1) + [.health]))
            #expect(harness.keeper.quotas[call.endpoint]?.room(at: harness.now.boot) == 2 - outstanding)
        }
    }

    @Test func `a call of the previous process may have begun a window with a known limit`() {
        // The machine was suspended while the call was in flight, and its window had ended when this was saved.
        let saved = SavedWindow(
            provider: nil, endpoint: .single, limit: 2, remaining: nil, outstanding: 1, resetsAt: nil,
            length: .seconds(60)
        )
        var quota = Quota(endpoint: .single, documented: nil)
        quota.restore(saved, at: start)
        #expect(quota.room(at: start) == 1)
        #expect(quota.room(at: second(62.9)) == 1)
        #expect(quota.room(at: second(63)) == 2)
    }

    @Test func `calls in flight and lost calls are saved even if no window is known`() {
        let now = Instant(boot: second(1), wall: KeeperHarness.start.wall)
        var quota = Quota(endpoint: .single, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(nil, succeeded: false, at: start)
        quota.reserve(1, at: second(1))
        #expect(quota.saved(by: "http://example", at: now).outstanding == 2)
        let later = Instant(boot: second(3), wall: KeeperHarness.start.wall)
        #expect(
            quota.saved(by: "http://example", at: later).outstanding == 1, "the lost call must have arrived by then")
    }

    @Test func `a call that is lost when its window may have ended counts in the next one as well`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        // The provider computed the end when the call arrived, at any time in these three seconds.
        quota.returned(reported(2, 60), succeeded: true, sentAt: start, at: second(3))
        quota.sent(at: second(60), .one)
        quota.returned(nil, succeeded: false, sentAt: second(60), at: second(60))
        quota.endWindow(at: second(65))
        #expect(quota.room(at: second(65)) == 2, "three, and the lost call may have begun the window")
    }

    @Test func `a call that is lost before a reply reports an earlier end counts in the next window as well`() {
        var quota = Quota(endpoint: .batch, documented: 3)
        for _ in 0..<2 { quota.sent(at: start, .one) }
        // The lost call may arrive until 12 s.
        quota.returned(nil, succeeded: false, sentAt: start, at: second(10))
        // The window was not the presumed one, but an older one. It ends at 5 s, or later, depending on when the reply
        // was computed.
        quota.returned(reported(1, 4), succeeded: true, sentAt: start, at: second(10.4))
        #expect(quota.room(at: second(15.3)) == 1)
        #expect(quota.room(at: second(15.4)) == 2, "three, and the lost call may have begun the window")
        #expect(quota.room(at: second(73)) == 3)
    }

    @Test func `a reply without a quota does not cancel a lost call that may arrive after it`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        // The window ends at 62 s or at 63 s.
        quota.returned(reported(2, 60), succeeded: true, sentAt: second(2), at: second(2))
        for _ in 0..<2 { quota.sent(at: second(62), .one) }
        quota.returned(nil, succeeded: false, sentAt: second(62), at: second(62))
        quota.returned(nil, succeeded: true, sentAt: second(62), at: second(62.5))
        // The lost call may arrive until 64 s, and begin the next window then.
        #expect(quota.room(at: second(124.9)) == 1, "three, less the two calls that may belong to this window")
        #expect(quota.room(at: second(125)) == 3)
    }

    @Test func `a call that was given up may still arrive, and begin the provider's window`() {
        var quota = Quota(endpoint: .batch, documented: nil)
        quota.sent(at: start, .one)
        quota.returned(reported(0, 60), succeeded: true, at: start)
        quota.sent(at: second(100), .one)
        quota.returned(nil, succeeded: false, at: second(100))
        #expect(quota.isExhausted(at: second(162.9)))
        #expect(!quota.isExhausted(at: second(163)))
    }
}
