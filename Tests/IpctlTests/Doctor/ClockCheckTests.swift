import Control
import TestSupport
import Testing
import Varlink

@testable import RecordKeeping
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

    @Test func `a kept event in the future shows that the clock was set back`() throws {
        // The times in the sample status are earlier.
        let event = PublishedEvent(
            seq: 99, at: Sample.wall(86_400), kind: .added, address: try IPAddress(Sample.address), fields: [],
            message: nil)
        let replies =
            DoctorOutput.replies(Sample.status())
            + [OutgoingReply.message(["event": Interface.Event(event, nil)], continues: true)]
        let ended = try BuiltIpctl.run(
            try WireServer(replies), "--json", "doctor", environment: DoctorOutput.quickNames)
        let clock = try #require(try DoctorOutput.documents(in: ended).first { $0.check == "clock" })
        #expect(clock.message.contains("the daemon recorded that the last event happened"))
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
