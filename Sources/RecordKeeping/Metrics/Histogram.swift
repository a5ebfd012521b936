/// A histogram of durations: the number of observations up to each of its bounds.
package struct Histogram: Hashable, Sendable {
    /// The upper bounds of the buckets in seconds, in ascending order. A bucket includes its bound.
    package let bounds: [Double]
    /// The number of observations in each bucket; the last one has no bound.
    package private(set) var counts: [UInt64]
    /// The sum of all observations, in seconds.
    package private(set) var sum = 0.0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// The number of observations.
    package var count: UInt64 { counts.reduce(0, +) }

    /// Adds the time between two moments, or zero if the end is before the start.
    mutating func observe(from start: BootTime, to end: BootTime) {
        // Converting a Duration to seconds needs a 128-bit division.
        let seconds = Double(max(0, end.nanoseconds - start.nanoseconds)) / 1e9
        counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
        sum += seconds
    }
}
