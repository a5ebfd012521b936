/// The delays between the attempts of an event whose command fails.
enum HookBackoff {
    static let minMilliseconds: Int64 = 1_000
    /// A service that was down for hours gets the event within a minute of its return.
    static let maxMilliseconds: Int64 = 60_000

    /// Returns the delay after a number of failed attempts: a second, doubled after each further failure, and a minute
    /// at most.
    static func milliseconds(afterFailures count: Int) -> Int64 {
        // 2⁶ s exceed the maximum.
        min(minMilliseconds << Int64(min(max(count, 1) - 1, 6)), maxMilliseconds)
    }
}
