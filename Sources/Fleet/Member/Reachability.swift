import RecordKeeping

/// Whether the database can be reached, and accepts the queries of each lane.
///
/// Polls can succeed while writes fail: without its synchronous standby, a server answers only reads.
struct Reachability: Hashable, Sendable {
    /// The queries whose failures count together.
    enum Subject: Hashable, Sendable {
        /// All queries of a lane but sweeps.
        case lane(FleetQuery.Lane)
        /// The sweeps. Commits succeed between them.
        case sweeps

        fileprivate static let count = FleetQuery.Lane.allCases.count + 1

        fileprivate var index: Int {
            switch self {
            case .lane(let lane): lane.rawValue
            case .sweeps: FleetQuery.Lane.allCases.count
            }
        }
    }

    private struct Failures: Hashable, Sendable {
        /// The time of the first failure since the last success; nil if there was none.
        var first: BootTime?
        /// Whether the failures count. A failed sweep is repeated only after a minute, so one alone does not.
        var isContinuous = false
        var reason = ""

        var since: BootTime? { isContinuous ? first : nil }
    }

    private var failures = Array(repeating: Failures(), count: Subject.count)
    /// Whether a loss has been reported that has not ended.
    private var isLost = false

    /// Time after which continuous failures are reported: that of a lease.
    private static let alertDelay = FleetLimits.lease

    /// The time of the alert; nil if none is due.
    var alertTime: BootTime? { isLost ? nil : failures.compactMap(\.since).min().map { $0 + Self.alertDelay } }

    mutating func failed(_ subject: Subject, reason: String, at now: BootTime) {
        let first = failures[subject.index].first
        failures[subject.index] = Failures(
            first: first ?? now, isContinuous: first != nil || subject != .sweeps, reason: reason)
    }

    /// Forgets the failures of a subject, because a query has succeeded or none has to be sent.
    ///
    /// - Returns: whether this ends a loss that was reported.
    mutating func recovered(_ subject: Subject) -> Bool {
        failures[subject.index] = Failures()
        guard isLost, failures.allSatisfy({ $0.since == nil }) else { return false }
        isLost = false
        return true
    }

    /// Returns the reason of the longest failures if the loss has to be reported now.
    mutating func report(at now: BootTime) -> String? {
        guard let alertTime, alertTime <= now else { return nil }
        isLost = true
        return failures.first { $0.since.map { $0 + Self.alertDelay } == alertTime }?.reason
    }
}
