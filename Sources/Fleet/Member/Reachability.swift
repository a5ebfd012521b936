import RecordKeeping

/// Whether the database can be reached, and accepts the queries of each lane.
///
/// Polls can succeed while writes fail: without its synchronous standby, a server answers only reads.
struct Reachability: Hashable, Sendable {
    private struct Failures: Hashable, Sendable {
        /// The time of the first failure since the last success; nil if there was none.
        var since: BootTime?
        var reason = ""
    }

    private var lanes = Array(repeating: Failures(), count: FleetQuery.Lane.allCases.count)
    /// Whether a loss has been reported that has not ended.
    private var isLost = false

    /// Time after which continuous failures are reported: that of a lease.
    private static let alertDelay = FleetLimits.lease

    /// The time of the alert; nil if none is due.
    var alertTime: BootTime? { isLost ? nil : lanes.compactMap(\.since).min().map { $0 + Self.alertDelay } }

    mutating func failed(_ lane: FleetQuery.Lane, reason: String, at now: BootTime) {
        lanes[lane.rawValue] = Failures(since: lanes[lane.rawValue].since ?? now, reason: reason)
    }

    /// Forgets the failures of a lane, because a query has succeeded or none has to be sent.
    ///
    /// - Returns: whether this ends a loss that was reported.
    mutating func recovered(_ lane: FleetQuery.Lane) -> Bool {
        lanes[lane.rawValue] = Failures()
        guard isLost, lanes.allSatisfy({ $0.since == nil }) else { return false }
        isLost = false
        return true
    }

    /// Returns the reason of the longest failures if the loss has to be reported now.
    mutating func report(at now: BootTime) -> String? {
        guard let alertTime, alertTime <= now else { return nil }
        isLost = true
        return lanes.first { $0.since.map { $0 + Self.alertDelay } == alertTime }?.reason
    }
}
