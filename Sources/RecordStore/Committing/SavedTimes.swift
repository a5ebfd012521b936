import RecordKeeping

/// Converts stored times to instants of the current boot.
struct SavedTimes {
    let now: Instant
    /// The row of the current boot in table `boot`; nil if that boot has not written anything.
    let boot: Int64?

    /// A hundred years in nanoseconds, the upper bound of a boot clock.
    private static let maxBootTime: UInt64 = 100 * 365 * 86_400 * 1_000_000_000
    /// The valid range for a failure's number of attempts.
    private static let attempts = 0...1_000_000

    /// Converts stored milliseconds to a wall time; returns nil for a time before 1970 or after 2199.
    func wall(_ milliseconds: Int64?) -> WallTime? {
        milliseconds.flatMap {
            (0..<Limits.endOfTimes.milliseconds).contains($0) ? WallTime(milliseconds: $0) : nil
        }
    }

    /// Converts a stored time of the retention clock; returns nil if it is missing, negative, or over a hundred years.
    static func elapsed(milliseconds: Int64?) -> Duration? {
        milliseconds.flatMap { (0...100 * 365 * 86_400_000).contains($0) ? .milliseconds($0) : nil }
    }

    /// Whether the boot time is within a hundred years of zero.
    static func isBootTime(_ nanoseconds: Int64) -> Bool { nanoseconds.magnitude < maxBootTime }

    /// Converts stored times to an instant; returns nil if a time is missing or out of range.
    ///
    /// - Parameter boot: the row of the boot in which the instant was stored. If it is not the current boot, the wall
    ///   clock determines the age.
    func instant(milliseconds: Int64?, bootTime: Int64?, boot: Int64?) -> Instant? {
        guard let then = wall(milliseconds), let bootTime, Self.isBootTime(bootTime) else { return nil }
        let saved = Instant(boot: BootTime(nanoseconds: bootTime), wall: then)
        guard let boot, boot == self.boot else { return saved.ofEarlierBoot(seenAt: now) }
        return saved
    }

    /// - Returns: nil if a column is missing or out of range, or if the kind is unknown, which means that a newer
    ///   version wrote it.
    func failure(kind: String, message: String?, attempts: Int?, at: Instant?) -> Failure? {
        guard let kind = Failure.Kind(rawValue: kind), let message, let attempts, Self.attempts.contains(attempts),
            let at
        else { return nil }
        return Failure(kind: kind, message: message, at: at, attempts: attempts)
    }
}
