import RecordKeeping

/// What times that were written down mean now.
struct SavedTimes {
    let now: Instant
    /// The row of the present boot; nil where nothing was written in it.
    let boot: Int64?

    /// The year 2200. A time beyond is none that anybody has written, and may be more than can be counted with.
    private static let latest: Int64 = 7_258_118_400_000
    /// A hundred years, in nanoseconds.
    private static let longestBoot: UInt64 = 100 * 365 * 86_400 * 1_000_000_000
    private static let attempts = 0...1_000_000

    func wall(_ milliseconds: Int64?) -> WallTime? {
        milliseconds.flatMap { (0..<Self.latest).contains($0) ? WallTime(milliseconds: $0) : nil }
    }

    /// A number of nanoseconds within the range of a boot clock.
    static func isBootTime(_ nanoseconds: Int64) -> Bool { nanoseconds.magnitude < longestBoot }

    /// - Parameter boot: in which it was written down: in any other than the present one, the wall clock says how long ago that
    ///   was.
    func instant(milliseconds: Int64?, bootTime: Int64?, boot: Int64?) -> Instant? {
        guard let then = wall(milliseconds), let bootTime, Self.isBootTime(bootTime) else { return nil }
        guard let boot, boot == self.boot else { return Instant(boot: now.boot + (then - now.wall), wall: then) }
        return Instant(boot: BootTime(nanoseconds: bootTime), wall: then)
    }

    /// - Returns: nil for what a newer version may have written, or nobody.
    func failure(kind: String, message: String?, attempts: Int?, at: Instant?) -> Failure? {
        guard let kind = Failure.Kind(rawValue: kind), let message, let attempts, Self.attempts.contains(attempts),
            let at
        else { return nil }
        return Failure(kind: kind, message: message, at: at, attempts: attempts)
    }
}
