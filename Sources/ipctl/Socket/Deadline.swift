import Glibc

/// When waiting is over, on a clock that nobody sets.
struct Deadline {
    private let milliseconds: Int64

    init(in span: TimeSpan) {
        milliseconds = Self.now + span.milliseconds
    }

    private init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// This, but not before an answer could have come that needs no waiting.
    var withTimeToAnswer: Deadline {
        Deadline(milliseconds: max(milliseconds, Self.now + Self.longestAnswerMilliseconds))
    }

    /// What is left, for poll(2).
    var remaining: Int32 { Int32(clamping: max(0, milliseconds - Self.now)) }

    /// A daemon that takes longer for what it knows hangs.
    private static let longestAnswerMilliseconds: Int64 = 5_000

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
