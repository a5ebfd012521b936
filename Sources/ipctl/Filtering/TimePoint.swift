import ArgumentParser
import Glibc

/// A time as written in an option: a duration before now, or a date with or without a time of day.
struct TimePoint: Hashable {
    private enum Kind: Hashable {
        case ago(milliseconds: Int64)
        /// The date in the time zone of the command, which is known once the options are parsed.
        case local(Date)
        /// Seconds since 1970.
        case exact(Int64)
    }

    private struct Date: Hashable {
        var year: Int32
        var month: Int32
        var day: Int32
        var hour: Int32
        var minute: Int32
        var second: Int32

        var parts: tm {
            var parts = tm()
            (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1_900, month - 1, day)
            (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
            // Whether daylight saving time applies is unknown.
            parts.tm_isdst = -1
            return parts
        }

        /// Whether the date exists: timegm(3) normalizes the parts of an invalid date.
        var exists: Bool {
            var parts = parts
            timegm(&parts)
            return (parts.tm_mon, parts.tm_mday) == (month - 1, day) && hour < 24 && minute < 60 && second < 60
        }
    }

    private let kind: Kind

    /// - Throws: a `ValidationError` with the expected formats.
    init(option text: String) throws {
        guard let time = TimePoint(text) else {
            throw ValidationError(
                "expected a duration such as 90s, 24h or 7d, a date such as 2026-11-20, or a date with a time such as "
                    + "\"2026-11-20 08:00\" or 2026-11-20T08:00:00Z")
        }
        self = time
    }

    /// - Returns: nil if the text is neither a duration nor an existing date.
    init?(_ text: String) {
        // Eight digits or more are probably a date or a Unix time, and not a duration in seconds.
        let isLongNumber = text.utf8.count >= 8 && text.allSatisfy { $0.isASCII && $0.isNumber }
        if !isLongNumber, let span = TimeSpan(text) {
            kind = .ago(milliseconds: span.milliseconds)
            return
        }
        let pattern = #/(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?(Z|[+-]\d{2}:\d{2})?/#
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        func number(_ digits: Substring?) -> Int32 { digits.flatMap { Int32($0) } ?? 0 }
        let date = Date(
            year: number(match.1), month: number(match.2), day: number(match.3), hour: number(match.4),
            minute: number(match.5), second: number(match.6))
        guard date.exists else { return nil }
        guard let zone = match.7 else {
            kind = .local(date)
            return
        }
        guard match.4 != nil, let offset = Self.seconds(ofZone: zone) else { return nil }
        var parts = date.parts
        kind = .exact(Int64(timegm(&parts)) - offset)
    }

    /// Returns the offset of a time zone such as "+01:00" (RFC 3339) from UTC.
    private static func seconds(ofZone text: Substring) -> Int64? {
        guard text != "Z" else { return 0 }
        let numbers = text.dropFirst().split(separator: ":").compactMap { Int64($0) }
        guard numbers.count == 2, numbers[0] < 24, numbers[1] < 60 else { return nil }
        return (text.hasPrefix("-") ? -1 : 1) * (numbers[0] * 3_600 + numbers[1] * 60)
    }

    /// Checks a period. The command's time zone must be known.
    ///
    /// - Throws: a usage error if the period ends before it begins.
    static func checkPeriod(since: TimePoint?, until: TimePoint?) throws(CommandError) {
        guard let start = since?.milliseconds, let end = until?.milliseconds, start > end else { return }
        throw CommandError(
            status: .usage,
            message: "--since must not be later than --until: \(Times.date(start)) is later than \(Times.date(end))",
            advice: "A duration counts back from now, such as: --since 7d --until 1d")
    }

    /// The time in milliseconds since 1970. A duration is counted from now.
    var milliseconds: Int64 {
        switch kind {
        case .ago(let milliseconds): return Times.now - milliseconds
        case .exact(let seconds): return seconds * 1_000
        case .local(let date):
            var parts = date.parts
            return Int64(mktime(&parts)) * 1_000
        }
    }
}
