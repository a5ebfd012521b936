/// The delay before netlink is reopened after a failure, which doubles with each failure in a row, up to a maximum.
///
/// Temporary failures are a lack of memory, buffers or descriptors, or a kernel that does not answer. They may last a
/// second or an hour, so one attempt a minute is cheap and soon enough.
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
        // 2^20 seconds are far beyond any maximum, and do not overflow.
        return min(max, first * (1 << min(failures, 20)))
    }

    /// Resets the delay once the socket works.
    package mutating func reset() {
        failures = 0
    }
}
