/// How far the next try is after a number of failures in a row: doubling, with jitter, up to a cap.
struct Backoff: Hashable, Sendable {
    /// The delay after the first failure, before jitter.
    static let base = Duration.seconds(1)

    /// The longest delay.
    let cap: Duration

    /// The delay after `attempts` failures in a row (1 or more).
    ///
    /// Half of it is certain and half is drawn, so that many who failed together do not come back together
    /// ("equal jitter" of the AWS architecture blog's comparison).
    func delay(afterAttempts attempts: Int, random: inout Random) -> Duration {
        let doublings = min(max(attempts, 1) - 1, 30)
        let whole = min(cap, Self.base * (1 << doublings)).wholeNanoseconds
        return .nanoseconds(whole / 2 + Int64.random(in: 0...max(whole - whole / 2, 0), using: &random))
    }
}
