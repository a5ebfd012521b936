import Glibc

/// The end of a wait, on the monotonic clock.
struct Deadline {
    private let milliseconds: Int64
    /// The time from the creation of this value to the deadline, in milliseconds.
    let spanMilliseconds: Int64

    init(in span: TimeSpan) {
        self.init(spanMilliseconds: span.milliseconds)
    }

    init(in duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(spanMilliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    private init(spanMilliseconds: Int64) {
        self.spanMilliseconds = spanMilliseconds
        milliseconds = Self.now + spanMilliseconds
    }

    private init(milliseconds: Int64, spanMilliseconds: Int64) {
        self.milliseconds = milliseconds
        self.spanMilliseconds = spanMilliseconds
    }

    /// The deadline, extended to leave time for a reply that the daemon can send immediately.
    var withTimeToReply: Deadline {
        Deadline(
            milliseconds: max(milliseconds, Self.now + Self.maxReplyMilliseconds),
            spanMilliseconds: spanMilliseconds)
    }

    /// The remaining milliseconds, for poll(2).
    var remaining: Int32 { Int32(clamping: max(0, milliseconds - Self.now)) }

    var isOver: Bool { milliseconds <= Self.now }

    func isBefore(_ other: Deadline) -> Bool { milliseconds < other.milliseconds }

    /// The maximum time for a reply that the daemon can send immediately.
    private static let maxReplyMilliseconds: Int64 = 5_000

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
