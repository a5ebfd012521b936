import RecordKeeping

/// How often something may be done: so many times at once, and after that once in each interval.
///
/// The generic cell rate algorithm of ATM's traffic management: one moment is all that has to be remembered.
struct Allowance: Hashable, Sendable {
    let atOnce: Int
    let interval: Duration
    /// When all of it will be there again; nil while nothing was ever spent.
    private var fullAt: BootTime?

    /// - Parameters:
    ///   - atOnce: 1 or more.
    ///   - interval: how long it takes until one more may be done.
    init(atOnce: Int, interval: Duration) {
        self.atOnce = atOnce
        self.interval = interval
    }

    /// Spends one, where there is one.
    ///
    /// - Returns: whether it may be done.
    mutating func spend(at now: BootTime) -> Bool {
        guard wait(at: now) == .zero else { return false }
        fullAt = max(fullAt ?? now, now) + interval
        return true
    }

    /// How long it is until one may be done; zero where it may be now.
    func wait(at now: BootTime) -> Duration {
        guard let fullAt else { return .zero }
        return max(.zero, fullAt - now - interval * (atOnce - 1))
    }
}
