/// Formats the time until a moment as a countdown.
enum Countdown {
    /// Returns a countdown such as "4:07", "1:00:00" or "12 days", rounded up to whole seconds. At the moment itself,
    /// the countdown is "now"; 12 seconds later, it is "-0:12".
    static func text(until moment: Int64, from now: Int64) -> String {
        let left = moment.clampedSubtracting(now)
        if left > 0 { return clock(seconds: (left - 1) / 1_000 + 1) }
        let over = Int64(clamping: left.magnitude) / 1_000
        return over == 0 ? "now" : "-" + clock(seconds: over)
    }

    private static func clock(seconds: Int64) -> String {
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        if hours >= 48 { return Times.span(milliseconds: seconds * 1_000) }
        let tail = twoDigits(seconds % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
