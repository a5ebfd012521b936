import RecordKeeping

/// A rate limit: a burst of `atOnce` actions, and then one action per interval.
///
/// It is the generic cell rate algorithm (ITU-T I.371), whose only state is one instant.
struct RateLimit: Hashable, Sendable {
    /// The largest burst, 1 or more.
    let atOnce: Int
    /// The time after which one more action is allowed.
    let interval: Duration
    /// The time from which a full burst is allowed again; nil before the first action.
    private(set) var fullAt: BootTime?

    /// Counts one action if the limit allows it.
    ///
    /// - Returns: whether the action is allowed.
    mutating func spend(at now: BootTime) -> Bool {
        guard wait(at: now) == .zero else { return false }
        fullAt = max(fullAt ?? now, now) + interval
        return true
    }

    /// The time until the next action is allowed; zero if it is allowed now.
    func wait(at now: BootTime) -> Duration {
        guard let fullAt else { return .zero }
        return max(.zero, fullAt - now - interval * (atOnce - 1))
    }
}
