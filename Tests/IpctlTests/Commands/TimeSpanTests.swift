import Testing

@testable import ipctl

@Suite struct TimeSpanTests {
    @Test(
        arguments: [
            ("250ms", 250), ("90s", 90_000), ("5m", 300_000), ("24h", 86_400_000), ("7d", 604_800_000), ("0s", 0),
            ("5", 5_000), ("1.5", 1_500), ("0.25s", 250), ("1.5h", 5_400_000), ("0.0004s", 0),
            ("36600d", 3_162_240_000_000),
        ] as [(String, Int64)])
    func `a number with a unit is a duration`(text: String, milliseconds: Int64) {
        #expect(TimeSpan(text)?.milliseconds == milliseconds)
    }

    @Test(
        arguments: [
            "", "s", "-5s", "+5s", "5 s", "5S", "1.5.5h", ".5s", "5.s", "1e9", "nan", "0.0000000001s", "5sec", "٥s",
            "36601d", "9223372036854775807d",
            "99999999999999999999s",
        ])
    func `anything else is invalid`(text: String) {
        #expect(TimeSpan(text) == nil)
    }
}
