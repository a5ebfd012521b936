import Testing

@testable import ipctl

@Suite struct CountdownTests {
    @Test(
        arguments: [
            (1, "0:01"), (1_000, "0:01"), (1_001, "0:02"), (59_000, "0:59"), (59_001, "1:00"), (247_000, "4:07"),
            (299_999, "5:00"), (3_599_001, "1:00:00"), (7_384_000, "2:03:04"), (172_799_000, "47:59:59"),
            (172_800_000, "2 days"), (0, "now"), (-999, "now"), (-1_000, "-0:01"), (-12_500, "-0:12"),
            (-3_600_000, "-1:00:00"),
        ] as [(Int64, String)])
    func `a countdown is rounded up to seconds`(milliseconds: Int64, text: String) {
        #expect(Countdown.text(until: Sample.now + milliseconds, from: Sample.now) == text)
    }
}
