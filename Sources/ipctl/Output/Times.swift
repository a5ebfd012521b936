import Glibc

/// Formats times and durations in human-readable form.
enum Times {
    /// The format of dates and times of day.
    enum Format {
        /// The local date and time, for people; today's date is omitted.
        case human
        /// RFC 3339 with the offset from UTC, for files and programs.
        case rfc3339
    }

    /// The format in the current task.
    @TaskLocal static var format = Format.human

    /// The current time in milliseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Returns a duration such as "3 s", "2 min", "5 h" or "12 days", rounded down in a suitable unit.
    static func span(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1_000
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    /// Returns a duration such as "90 s", "5 min" or "1,500 ms", in the largest unit that is exact.
    static func exactSpan(milliseconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400_000, "days"), (3_600_000, "h"), (60_000, "min"), (1_000, "s")]
        for (unit, name) in units where milliseconds % unit == 0 && milliseconds >= (unit > 1_000 ? 2 * unit : unit) {
            return "\(grouped(Int(milliseconds / unit))) \(name)"
        }
        return "\(grouped(Int(milliseconds))) ms"
    }

    static func ago(_ time: Int64, from now: Int64) -> String {
        let past = now.clampedSubtracting(time)
        return past < 1_000 ? "just now" : "\(span(milliseconds: past)) ago"
    }

    /// Returns the time until a moment, such as "in 3 min". It is rounded up, so that the wait is never understated.
    static func ahead(_ time: Int64, from now: Int64) -> String {
        let left = time.clampedSubtracting(now)
        let unit: Int64 =
            switch left {
            case ..<120_000: 1_000
            case ..<7_200_000: 60_000
            case ..<172_800_000: 3_600_000
            default: 86_400_000
            }
        return left < 1_000 ? "now" : "in \(span(milliseconds: left.clampedAdding(unit - 1)))"
    }

    /// Returns the local time of day, with the date if it is not today. If the output is not a terminal, the time
    /// always has the date and the offset.
    static func clock(_ time: Int64, from now: Int64) -> String {
        guard format == .human else { return date(time) }
        let (day, today) = (local(time, "%Y-%m-%d"), local(now, "%Y-%m-%d"))
        return day == today ? local(time, "%H:%M:%S") : local(time, "%Y-%m-%d %H:%M:%S")
    }

    /// Returns the local date and time; if the output is not a terminal, with the offset.
    static func date(_ time: Int64) -> String {
        switch format {
        case .human: local(time, "%Y-%m-%d %H:%M:%S")
        case .rfc3339: local(time, "%Y-%m-%dT%H:%M:%S") + offset(parts(of: time).tm_gmtoff)
        }
    }

    /// Returns the local date, without the time of day.
    static func day(_ time: Int64) -> String { local(time, "%Y-%m-%d") }

    /// Returns an offset from UTC, such as "+01:00" or "Z".
    private static func offset(_ seconds: Int) -> String {
        guard seconds != 0 else { return "Z" }
        func twoDigits(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds.magnitude / 60
        return (seconds < 0 ? "-" : "+") + twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

    /// Returns the parts of a time in the local time zone.
    private static func parts(of time: Int64) -> tm {
        var seconds = time_t(time / 1_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func local(_ time: Int64, _ format: String) -> String {
        var parts = parts(of: time)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, format, &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns a number with separators: "12,345".
    static func grouped(_ number: Int) -> String {
        var digits = String(number.magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }

    /// Returns a number with a noun: "1 address", "12,345 addresses".
    static func count(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : noun.hasSuffix("s") ? "es" : "s")"
    }

    /// Returns a percentage: "34 %" for 0.335. Values out of range are clamped.
    static func percent(_ share: Double) -> String {
        "\(grouped(Int(exactly: (share * 100).rounded()) ?? (share > 0 ? .max : 0))) %"
    }
}
