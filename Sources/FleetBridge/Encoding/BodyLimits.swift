import RecordKeeping

/// The version and the bounds of the encoding, each with the reason for its value.
///
/// A body of n bytes is decoded into at most some 300 n bytes of memory, because each count is checked against the
/// bytes that are left: the shortest write has one byte, and takes 272 in a list.
package enum BodyLimits {
    /// The only version of the encoding so far.
    package static let version = 1
    /// Bytes of a body. An addition of 100,000 addresses, the largest request, takes up to 2 MB.
    package static let maxBytes = 16 << 20
    /// Writes of a row. An addition of 100,000 addresses has two per address. They take some 300 MB of memory.
    package static let maxWrites = 1_000_000
    /// Nanoseconds of durations and of times on the boot clock, in both directions: 73 years. The difference of two
    /// such times cannot overflow.
    static let maxNanoseconds: Int64 = 1 << 61
    /// Milliseconds of wall times, in both directions.
    static let maxMilliseconds = Limits.endOfTimes.milliseconds
    /// Counts, such as those of attempts and of a quota, in both directions: incrementing one cannot overflow.
    static let maxCount = 1 << 53
    /// The wall time to which the first one of a body is relative: the beginning of 2026.
    static let epoch = WallTime(milliseconds: 1_767_225_600_000)
    /// The provider's coordinates have at most four decimals.
    static let partsPerDegree = 10_000.0
}
