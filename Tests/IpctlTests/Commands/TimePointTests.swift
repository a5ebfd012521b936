import Testing

@testable import ipctl

@Suite struct TimePointTests {
    @Test func `a duration is before now`() throws {
        let time = try #require(TimePoint("24h"))
        let before = Times.now - 86_400_000
        #expect((before...before + 10_000).contains(time.milliseconds))
    }

    @Test(
        arguments: [
            ("2026-11-20T08:00:00Z", 1_795_161_600_000), ("2026-11-20 08:00Z", 1_795_161_600_000),
            ("2026-11-20T09:30:00+01:30", 1_795_161_600_000), ("1969-12-31T23:59:59Z", -1_000),
            ("2024-02-29T00:00:00-00:00", 1_709_164_800_000),
        ] as [(String, Int64)])
    func `a date with a time zone is exact`(text: String, milliseconds: Int64) throws {
        #expect(try #require(TimePoint(text)).milliseconds == milliseconds)
    }

    /// The time zone of the tests is not known, but it has the same offset on both days.
    @Test func `a date without a zone is local`() throws {
        let (day, hour) = (try #require(TimePoint("2026-11-20")), try #require(TimePoint("2026-11-20 01:00:30")))
        #expect(hour.milliseconds - day.milliseconds == 3_630_000)
        #expect(abs(day.milliseconds - 1_795_132_800_000) <= 14 * 3_600_000)
        #expect(try #require(TimePoint("2026-11-21")).milliseconds - day.milliseconds == 86_400_000)
    }

    @Test(
        arguments: [
            "", "yesterday", "2026-13-01", "2026-02-29", "2026-11-31", "2026-11-20T25:00:00Z", "2026-11-20T08:60",
            "2026-11-20Z", "2026-11-20T08:00:00+1:00", "2026-11-20T08:00:00+24:00", "20261120", "-24h",
        ])
    func `other texts are not times`(text: String) {
        #expect(TimePoint(text) == nil)
    }
}
