import ArgumentParser

/// A span of time as an option says it: a number with `ms`, `s`, `m`, `h` or `d`; seconds where it has none.
struct TimeSpan: Hashable {
    let milliseconds: Int64
    /// As it was said.
    let text: String

    /// - Throws: a `ValidationError` that says what would be right, as the parsing of the command line does.
    init(option text: String) throws {
        guard let span = TimeSpan(text) else {
            throw ValidationError("a span of time is a number with ms, s, m, h or d, such as 90s or 24h")
        }
        self = span
    }

    /// - Returns: nil for any other text, and for more than a hundred years.
    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), let unit = Self.units[String(text.dropFirst(digits.count))] else {
            return nil
        }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow, milliseconds <= Self.longest else { return nil }
        self.milliseconds = milliseconds
        self.text = text
    }

    private static let units: [String: Int64] = [
        "": 1_000, "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]
    /// Far above what anybody wants, and still a time that can be counted in milliseconds.
    private static let longest: Int64 = 100 * 366 * 86_400_000
}
