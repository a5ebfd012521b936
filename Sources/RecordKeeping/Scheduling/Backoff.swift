/// The delay before the next attempt after consecutive failures. It doubles with each failure, with jitter, up to a
/// cap.
struct Backoff: Hashable, Sendable {
    /// The delay after the first failure, before jitter.
    static let base = Duration.seconds(1)

    /// The maximum delay.
    let cap: Duration

    /// Returns the delay after `attempts` consecutive failures (1 or more).
    ///
    /// Half of the delay is fixed and half is random, so that addresses that failed together are not retried together
    /// ("equal jitter", AWS Architecture Blog, "Exponential Backoff And Jitter").
    func delay(afterAttempts attempts: Int, random: inout Random) -> Duration {
        let doublings = min(max(attempts, 1) - 1, 30)
        let whole = min(cap, Self.base * (1 << doublings)).wholeNanoseconds
        return .nanoseconds(whole / 2 + Int64.random(in: 0...max(whole - whole / 2, 0), using: &random))
    }
}
