import Glibc

/// The end of a wait, on the monotonic clock.
struct Deadline {
    private var milliseconds: Int64
    /// The time from the creation of this value to the deadline, in milliseconds.
    let spanMilliseconds: Int64

    init(in duration: Duration) {
        let (seconds, attoseconds) = duration.components
        spanMilliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        milliseconds = Self.now + spanMilliseconds
    }

    /// The deadline, extended to leave time for a reply that the daemon can send immediately.
    var withTimeToReply: Deadline {
        var deadline = self
        deadline.milliseconds = max(milliseconds, Self.now + Self.maxReplyMilliseconds)
        return deadline
    }

    /// The remaining milliseconds, for poll(2).
    var remaining: Int32 { Int32(clamping: max(0, milliseconds - Self.now)) }

    var isOver: Bool { milliseconds <= Self.now }

    func isBefore(_ other: Deadline) -> Bool { milliseconds < other.milliseconds }

    /// The maximum time for a reply that the daemon can send immediately.
    private static let maxReplyMilliseconds: Int64 = 5_000

    /// Milliseconds of the monotonic clock.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
