import ArgumentParser

/// A duration as written in an option: a number with the unit `ms`, `s`, `m`, `h` or `d`, or seconds without a unit.
struct TimeSpan: Hashable {
    let milliseconds: Int64
    /// The duration as the user wrote it.
    let text: String

    /// - Parameter maximum: the maximum; nil for a hundred years.
    /// - Throws: a `ValidationError` with the expected format.
    init(option text: String, upTo maximum: TimeSpan? = nil) throws {
        guard let span = TimeSpan(text), span.milliseconds <= maximum?.milliseconds ?? Self.maxMilliseconds else {
            let wanted = maximum.map { " of at most \($0.text), such as 500ms, 90s or 5m" } ?? " such as 90s, 24h or 7d"
            throw ValidationError("expected a duration\(wanted) (no unit means seconds)")
        }
        self = span
    }

    init(milliseconds: Int64, text: String) {
        (self.milliseconds, self.text) = (milliseconds, text)
    }

    /// - Returns: nil if the text is invalid, or if the duration exceeds a hundred years.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let hasPoint = parts.count == 2
        let tail = parts.last ?? ""
        let digits = tail.prefix { $0.isASCII && $0.isNumber }
        let fraction = hasPoint ? digits : ""
        guard let whole = Int64(hasPoint ? parts[0] : digits), !text.hasPrefix("+"), !text.hasPrefix("-"),
            let unit = Self.units[String(tail.dropFirst(digits.count))], !digits.isEmpty,
            // Nine digits resolve a day to less than a millisecond.
            fraction.count <= 9, let part = Int64("0" + fraction)
        else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        let scale = fraction.reduce(Int64(1)) { scale, _ in scale * 10 }
        guard !overflow, product <= Self.maxMilliseconds else { return nil }
        milliseconds = product + part * unit / scale
        self.text = text
        guard milliseconds <= Self.maxMilliseconds else { return nil }
    }

    private static let units: [String: Int64] = [
        "": 1_000, "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]
    /// The maximum duration: far above any sensible value, and safe in arithmetic with milliseconds.
    private static let maxMilliseconds: Int64 = 100 * 366 * 86_400_000
}
