import Glibc

/// Formats times and durations in human-readable form.
enum Times {
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

    /// Returns the local time of day, with the date if it is not today.
    static func clock(_ time: Int64, from now: Int64) -> String {
        let (day, today) = (local(time, "%Y-%m-%d"), local(now, "%Y-%m-%d"))
        return day == today ? local(time, "%H:%M:%S") : local(time, "%Y-%m-%d %H:%M:%S")
    }

    /// Returns the local date and time.
    static func date(_ time: Int64) -> String { local(time, "%Y-%m-%d %H:%M:%S") }

    private static func local(_ time: Int64, _ format: String) -> String {
        var seconds = time_t(time / 1_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
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
