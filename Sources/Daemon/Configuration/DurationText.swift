import RecordKeeping

/// Durations as the configuration writes them: a number with `ms`, `s`, `m`, `h` or `d`.
enum DurationText {
    /// - Returns: nil for any other text, and for what is too large for a clock of nanoseconds.
    static func parse(_ text: String) -> Duration? {
        let digits = text.prefix(while: { $0.isASCII && $0.isNumber })
        guard let number = Int64(digits), let milliseconds = unitsInMilliseconds[String(text.dropFirst(digits.count))]
        else { return nil }
        let (total, overflow) = number.multipliedReportingOverflow(by: milliseconds)
        guard !overflow, total <= longestMilliseconds else { return nil }
        return .milliseconds(total)
    }

    /// A hundred years: far above what anybody wants, and added to the time still below what the clocks hold (292 years).
    private static let longestMilliseconds: Int64 = 100 * 366 * 86_400_000

    private static let unitsInMilliseconds: [String: Int64] = [
        "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]
}
