import RecordKeeping

/// Whether the database can be reached.
struct Reachability: Hashable, Sendable {
    /// The time of the first failure since the last success; nil if there was none.
    private var failingSince: BootTime?
    private var reason = ""
    private(set) var isLost = false

    /// Failures of this duration are reported: as long as a lease.
    private static let patience = FleetLimits.lease

    /// The time of the alert; nil if none is due.
    var alertTime: BootTime? { isLost ? nil : failingSince.map { $0 + Self.patience } }

    mutating func failed(reason: String, at now: BootTime) {
        failingSince = failingSince ?? now
        self.reason = reason
    }

    /// Returns whether the database was reported as lost.
    mutating func succeeded() -> Bool {
        defer { self = Reachability() }
        return isLost
    }

    /// Returns the reason if the loss has to be reported now.
    mutating func report(at now: BootTime) -> String? {
        guard let alertTime, alertTime <= now else { return nil }
        isLost = true
        return reason
    }
}
