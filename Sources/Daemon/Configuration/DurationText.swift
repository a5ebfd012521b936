import RecordKeeping

/// The syntax of durations in the configuration: a whole number followed by `ms`, `s`, `m`, `h` or `d`.
enum DurationText {
    /// - Returns: nil if the text has a different form, or exceeds a hundred years.
    static func parse(_ text: String) -> Duration? {
        let digits = text.prefix(while: { $0.isASCII && $0.isNumber })
        guard let number = Int64(digits), let milliseconds = unitsInMilliseconds[String(text.dropFirst(digits.count))]
        else { return nil }
        let (total, overflow) = number.multipliedReportingOverflow(by: milliseconds)
        guard !overflow, total <= maxMilliseconds else { return nil }
        return .milliseconds(total)
    }

    /// A hundred years: more than any setting needs, and in range of the 64-bit nanosecond clocks (292 years) when
    /// added to the current time.
    private static let maxMilliseconds: Int64 = 100 * 366 * 86_400_000

    private static let unitsInMilliseconds: [String: Int64] = [
        "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]
}
