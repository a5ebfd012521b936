/// Calls that were lost while no window was known. Each may still arrive and be counted in the first window that a
/// reply reports, even if the call of that reply was sent earlier.
struct UnreportedLosses: Hashable, Sendable {
    /// The latest time at which each call may arrive.
    private var arrivals: [BootTime] = []

    /// Records a lost call.
    ///
    /// - Parameter keeping: how long the loss is kept after it was recorded.
    mutating func add(arrivingBy arrival: BootTime, keeping: Duration, at now: BootTime) {
        arrivals.removeAll { $0 + keeping < now }
        arrivals.append(arrival)
    }

    /// Returns the number of calls that may arrive after this time.
    func count(arrivingAfter now: BootTime) -> Int {
        arrivals.count { $0 > now }
    }

    /// Removes all losses.
    ///
    /// - Returns: the arrival times of the calls that may be missing from the reply to a call sent at this time.
    mutating func resolve(sentAt: BootTime) -> [BootTime] {
        defer { arrivals = [] }
        return arrivals.filter { $0 > sentAt }
    }
}
