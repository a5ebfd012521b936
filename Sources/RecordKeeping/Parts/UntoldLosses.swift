/// Calls that were lost while nothing was known of a window: each may still arrive, and be counted in the first window that a
/// reply tells of, although that reply was sent before.
struct UntoldLosses: Hashable, Sendable {
    /// The latest time at which each may have arrived.
    private var arrivals: [BootTime] = []

    /// - Parameter keeping: how long after its arrival a loss can matter, which is as long as a reply takes at most.
    mutating func add(arrivingBy arrival: BootTime, keeping: Duration, at now: BootTime) {
        arrivals.removeAll { $0 + keeping < now }
        arrivals.append(arrival)
    }

    /// How many may arrive after that.
    func count(arrivingAfter now: BootTime) -> Int {
        arrivals.count { $0 > now }
    }

    /// All of them are counted, or known to have been.
    ///
    /// - Returns: the arrivals of those that a reply may not have counted which was sent at this time.
    mutating func settle(sentAt: BootTime) -> [BootTime] {
        defer { arrivals = [] }
        return arrivals.filter { $0 > sentAt }
    }
}
