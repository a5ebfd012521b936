/// The delays between attempts to reconnect to the daemon, with the limits of ``Reconnector``.
///
/// Times are milliseconds on a monotonic clock.
struct HookDelays: Hashable {
    private var delay = Int64(Reconnector.minDelayMilliseconds)
    /// The time at which reconnecting fails; nil while connected.
    private(set) var end: Int64?
    /// The time from which the current connection counts as stable; nil before the first reconnection.
    private var stableTime: Int64?

    /// Returns the time of the next attempt, after the connection was lost or an attempt failed; nil if the daemon has
    /// not returned in time.
    mutating func nextAttempt(at now: Int64) -> Int64? {
        guard let end else {
            self.end = now + Reconnector.maxDuration.milliseconds
            guard let stableTime, now < stableTime else {
                // A restart takes less than a second.
                delay = Int64(Reconnector.minDelayMilliseconds)
                return now
            }
            return increase(from: now)
        }
        return now < end ? increase(from: now) : nil
    }

    /// Notes that the daemon has replied on a new connection.
    mutating func connected(at now: Int64) {
        end = nil
        stableTime = now + Reconnector.minStableDuration.milliseconds
    }

    private mutating func increase(from now: Int64) -> Int64 {
        defer { delay = min(delay * 2, Int64(Reconnector.maxDelayMilliseconds)) }
        return now + delay
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 }
}
