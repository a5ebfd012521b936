import Testing

@testable import RecordKeeping

@Suite struct QuotaCountTests {
    @Test func `the lower of the two counts applies`() {
        #expect(QuotaCount(left: 3, hasLostCalls: false).remaining == 3)
        #expect(QuotaCount(left: 3, reported: 2, hasLostCalls: false).remaining == 2)
        #expect(QuotaCount(left: 2, reported: 3, hasLostCalls: false).remaining == 2)
    }

    @Test func `only the first reply enlarges a window, and only if no call was lost`() {
        var count = QuotaCount(left: 3, hasLostCalls: false)
        count.spend(reporting: 9, mayEnlarge: true)
        #expect(count.remaining == 9)
        count.spend(reporting: 12, mayEnlarge: true)
        #expect(count.remaining == 8)
        var lossy = QuotaCount(left: 3, hasLostCalls: true)
        lossy.spend(reporting: 9, mayEnlarge: true)
        #expect(lossy.remaining == 2)
        var documented = QuotaCount(left: 3, hasLostCalls: false)
        documented.spend(reporting: 9, mayEnlarge: false)
        #expect(documented.remaining == 2)
    }

    @Test func `a call without a reported quota is spent in both counts, and is lost`() {
        var count = QuotaCount(left: 3, reported: 1, hasLostCalls: false)
        count.spendUnreported()
        #expect(count == QuotaCount(left: 2, reported: 0, hasLostCalls: true))
        count.spendUnreported()
        #expect(count.remaining == 0 && count.counted == 1, "a count is never negative")
    }

    @Test func `an earlier loss is spent only in the daemon's own count`() {
        var count = QuotaCount(left: 3, reported: 3, hasLostCalls: false)
        count.countEarlierLoss()
        #expect(count == QuotaCount(left: 2, reported: 3, hasLostCalls: true))
    }

    @Test func `late losses are counted until they must have arrived`() {
        var count = QuotaCount(left: 3, hasLostCalls: true)
        count.countLateLoss()
        count.countLateLoss()
        #expect(count.lostLate == 2 && count.remaining == 3)
        count.clearLateLosses()
        #expect(count.lostLate == 0 && count.hasLostCalls)
    }

    @Test func `a reset discards the reported numbers`() {
        var count = QuotaCount(left: 3, reported: 1, hasLostCalls: false)
        count.reset(to: 2)
        #expect(count == QuotaCount(left: 2, hasLostCalls: false))
    }
}
