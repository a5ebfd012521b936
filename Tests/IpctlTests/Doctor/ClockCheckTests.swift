import Testing

@testable import ipctl

@Suite struct ClockCheckTests {
    @Test func `a clock that agrees with the daemon's times is good`() {
        let check = ClockCheck(now: Sample.now, recordedTimes: [("the daemon started", Sample.now + 1_000)])
        #expect(check.findings().map(\.state) == [.ok])
    }

    @Test(arguments: [0, 1_735_689_599_999] as [Int64]) func `a date before the first release is wrong`(now: Int64) {
        let finding = ClockCheck(now: now).findings().first
        #expect(finding?.state == .bad)
        #expect(finding?.remedy?.contains("timedatectl set-ntp true") == true)
        #expect(ClockCheck(now: 1_735_689_600_000).findings().map(\.state) == [.ok])
    }

    @Test func `a recorded time in the future shows that the clock was set back, and by how much`() {
        let check = ClockCheck(
            now: Sample.now,
            recordedTimes: [("the daemon started", Sample.now - 1), ("the last call was made", Sample.now + 3_600_000)])
        let finding = check.findings().first
        #expect(finding?.state == .warning)
        #expect(finding?.message.contains("the last call was made") == true)
        #expect(finding?.message.contains("60 min in the future") == true)
        #expect(finding?.remedy?.contains("timedatectl") == true)
    }
}
