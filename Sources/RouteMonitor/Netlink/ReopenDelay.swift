/// The delay before netlink is reopened after a failure. It doubles with each consecutive failure, up to a maximum.
///
/// Temporary failures are a lack of memory, buffers or descriptors, or a kernel that does not answer. They may last a
/// second or an hour, so one attempt a minute is cheap and frequent enough.
package struct ReopenDelay: Sendable {
    private let first: Duration
    private let max: Duration
    private var failures = 0

    package init(first: Duration = .seconds(1), max: Duration = .seconds(60)) {
        self.first = first
        self.max = max
    }

    /// Returns the delay after one more failure.
    package mutating func next() -> Duration {
        defer { failures += 1 }
        // 2^20 times the first delay exceeds any sensible maximum, and does not overflow.
        return min(max, first * (1 << min(failures, 20)))
    }

    /// Resets the delay after a success.
    package mutating func reset() {
        failures = 0
    }
}
