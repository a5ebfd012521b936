import Glibc
import RecordKeeping

/// The header `Retry-After` (RFC 9110 §10.2.3).
extension RawReply {
    /// The time from the reply until the provider accepts calls again; nil if the header is missing or invalid. A date
    /// is compared with the header `Date` of the same reply, because the clocks of the two machines may differ.
    var retryAfter: Duration? {
        guard let value = header("Retry-After") else { return nil }
        if Self.isNumber(value) { return .seconds(min(Int64(value) ?? .max, Self.maxRetryAfterSeconds)) }
        guard let end = Self.seconds(ofDate: value) else { return nil }
        let start = header("Date").flatMap { Self.seconds(ofDate: $0) } ?? sentAt.wall.milliseconds / 1_000
        return .seconds(min(max(0, end - start), Self.maxRetryAfterSeconds))
    }

    /// Maximum of `retryAfter`, in seconds; longer times are reduced to it. The core delays calls by at most
    /// `Limits.maxRetryAfter`.
    private static let maxRetryAfterSeconds: Int64 = 86_400

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Returns the Unix time of an HTTP date in one of its three formats (RFC 9110 §5.6.7); nil if it is invalid.
    private static func seconds(ofDate text: String) -> Int64? {
        var parts = text.split { " ,-:".contains($0) }.map(String.init)
        if parts.count == 8, parts.removeLast() != "GMT" { return nil }
        guard parts.count == 7 else { return nil }
        // "Sun Nov  6 08:49:37 1994" has the month before the day, and the year at the end.
        if months.contains(parts[1]) { parts = [parts[0], parts[2], parts[1], parts[6]] + parts[3...5] }
        let numbers = [parts[1], parts[3], parts[4], parts[5], parts[6]].filter(isNumber).compactMap { Int32($0) }
        guard numbers.count == 5, let month = months.firstIndex(of: parts[2]), (1...31).contains(numbers[0]),
            (0...9_999).contains(numbers[1]), (0...23).contains(numbers[2]), (0...59).contains(numbers[3]),
            (0...60).contains(numbers[4])
        else { return nil }
        let year = numbers[1] < 70 ? numbers[1] + 2_000 : numbers[1] < 100 ? numbers[1] + 1_900 : numbers[1]
        var time = tm()
        (time.tm_mday, time.tm_mon, time.tm_year) = (numbers[0], Int32(month), year - 1_900)
        (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[2], numbers[3], numbers[4])
        return Int64(timegm(&time))
    }
}
