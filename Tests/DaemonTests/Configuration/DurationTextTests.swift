import RecordKeeping
import Testing

@testable import Daemon

@Suite struct DurationTextTests {
    @Test(
        arguments: [
            ("0s", .zero), ("1ms", .milliseconds(1)), ("250ms", .milliseconds(250)), ("300s", .seconds(300)),
            ("5m", .seconds(300)), ("1h", .seconds(3_600)), ("90d", .seconds(90 * 86_400)), ("007s", .seconds(7)),
        ] as [(String, Duration)])
    func `a number with a unit is a duration`(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(
        arguments: [
            "", "5", "m", "ms", "-5m", "+5m", "1.5h", "1h30m", "5 m", " 5m", "5m ", "5M", "5min", "5µs", "٥m", "5m\n",
            "0x5m",
            "1e3s",
        ])
    func `any other text is not a duration`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: ["9223372036854775807d", "9223372036854775808ms", "99999999999999999999s", "300000d", "106752d"])
    func `a duration of more nanoseconds than fit into 64 bits is invalid`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test func `every valid duration can be added to the current time`() throws {
        let maximum = try #require((1...300).map { "\($0 * 366)d" }.compactMap(DurationText.parse).max())
        let now = SystemClock.now
        #expect(maximum >= .seconds(50 * 366 * 86_400))
        // Not `+`, which traps on overflow.
        let (sum, isTooLarge) = now.boot.nanoseconds.addingReportingOverflow(maximum.wholeNanoseconds)
        #expect(!isTooLarge)
        #expect(Duration.nanoseconds(sum &- now.boot.nanoseconds) == maximum)
    }
}
