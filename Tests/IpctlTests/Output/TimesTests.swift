import Testing

@testable import ipctl

@Suite struct TimesTests {
    @Test(
        arguments: [
            (0, "0 s"), (999, "0 s"), (1_000, "1 s"), (59_999, "59 s"), (60_000, "60 s"), (119_999, "119 s"),
            (120_000, "2 min"), (3_599_999, "59 min"), (3_600_000, "60 min"), (7_199_999, "119 min"),
            (7_200_000, "2 h"),
            (86_400_000, "24 h"), (172_799_999, "47 h"), (172_800_000, "2 days"), (31_536_000_000, "365 days"),
            (-1, "0 s"),
            (-90_000, "0 s"),
        ] as [(Int64, String)])
    func `a duration has the largest unit with at least two`(milliseconds: Int64, text: String) {
        #expect(Times.span(milliseconds: milliseconds) == text)
    }

    @Test(
        arguments: [
            (0, "just now"), (999, "just now"), (1_000, "1 s ago"), (119_000, "119 s ago"), (300_000, "5 min ago"),
            (3_600_000, "60 min ago"), (259_200_000, "3 days ago"), (-5_000, "just now"),
        ] as [(Int64, String)])
    func `an age is formatted, and a future time is now`(age: Int64, text: String) {
        #expect(Times.ago(Sample.now - age, from: Sample.now) == text)
    }

    @Test(
        arguments: [
            (0, "now"), (999, "now"), (1_000, "in 1 s"), (3_200, "in 4 s"), (119_500, "in 2 min"),
            (240_001, "in 5 min"),
            (300_000, "in 5 min"), (172_800_000, "in 2 days"), (172_800_001, "in 3 days"),
            (-5_000, "now"),
        ] as [(Int64, String)])
    func `a future time is formatted, and a past time is now`(left: Int64, text: String) {
        #expect(Times.ahead(Sample.now + left, from: Sample.now) == text)
    }

    @Test func `a time of today has no date, any other has one`() {
        let midday = Sample.now
        let time = Times.clock(midday, from: midday)
        #expect(time.wholeMatch(of: /\d\d:\d\d:\d\d/) != nil)
        let other = Times.clock(midday - 3 * 86_400_000, from: midday)
        #expect(other.wholeMatch(of: /2027-01-1[12] \d\d:\d\d:\d\d/) != nil)
        #expect(other.hasSuffix(time))
    }

    @Test(
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (999_999, "999,999"),
            (1_000_000, "1,000,000"),
            (-12_345, "-12,345"), (.max, "9,223,372,036,854,775,807"), (.min, "-9,223,372,036,854,775,808"),
        ])
    func `a number has thousands separators`(number: Int, text: String) {
        #expect(Times.grouped(number) == text)
    }

    @Test(
        arguments: [
            (1_500, "1,500 ms"), (1_000, "1 s"), (90_000, "90 s"), (60_000, "60 s"), (300_000, "5 min"),
            (3_600_000, "60 min"), (7_200_000, "2 h"), (172_800_000, "2 days"), (0, "0 ms"),
        ] as [(Int64, String)])
    func `an exact duration is not rounded`(milliseconds: Int64, text: String) {
        #expect(Times.exactSpan(milliseconds: milliseconds) == text)
    }

    @Test func `now is now`() {
        #expect(Times.now > 1_700_000_000_000)
        #expect(Times.now < 10_000_000_000_000)
    }

    @Test(arguments: [(0, "0 %"), (0.335, "34 %"), (1, "100 %"), (12.3456, "1,235 %")] as [(Double, String)])
    func `a share is shown in per cent`(share: Double, text: String) {
        #expect(Times.percent(share) == text)
    }

    @Test func `an invalid share is harmless`() {
        #expect(Times.percent(1e300) == "\(Times.grouped(.max)) %")
        #expect(Times.percent(-.infinity) == "0 %")
    }
}
