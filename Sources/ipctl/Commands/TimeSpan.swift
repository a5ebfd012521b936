import ArgumentParser

/// A span of time as an option says it: a number with `ms`, `s`, `m`, `h` or `d`; seconds where it has none.
struct TimeSpan: Hashable {
    let milliseconds: Int64
    /// As it was said.
    let text: String

    /// - Parameter longest: nil for a hundred years.
    /// - Throws: a `ValidationError` that says what would be right, as the parsing of the command line does.
    init(option text: String, upTo longest: TimeSpan? = nil) throws {
        guard let span = TimeSpan(text), span.milliseconds <= longest?.milliseconds ?? Self.longest else {
            let bound = longest.map { ", of at most \($0.text)" } ?? ""
            throw ValidationError(
                "a span of time is a number with ms, s, m, h or d, such as 90s or 24h, or of seconds without\(bound)")
        }
        self = span
    }

    /// - Returns: nil for any other text, and for more than a hundred years.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let hasPoint = parts.count == 2
        let tail = parts.last ?? ""
        let digits = tail.prefix { $0.isASCII && $0.isNumber }
        let fraction = hasPoint ? digits : ""
        guard let whole = Int64(hasPoint ? parts[0] : digits), !text.hasPrefix("+"), !text.hasPrefix("-"),
            let unit = Self.units[String(tail.dropFirst(digits.count))], !digits.isEmpty,
            // Finer than a millisecond of a day.
            fraction.count <= 9, let part = Int64("0" + fraction)
        else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        let scale = fraction.reduce(Int64(1)) { scale, _ in scale * 10 }
        guard !overflow, product <= Self.longest else { return nil }
        milliseconds = product + part * unit / scale
        self.text = text
        guard milliseconds <= Self.longest else { return nil }
    }

    private static let units: [String: Int64] = [
        "": 1_000, "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]
    /// Far above what anybody wants, and still a time that can be counted in milliseconds.
    private static let longest: Int64 = 100 * 366 * 86_400_000
}
