import RecordKeeping

/// A query in flight.
struct QueryInFlight: Sendable {
    let id: FleetQuery.ID
    let query: FleetQuery
    let sentAt: BootTime

    /// The time at which the query is cancelled.
    var deadline: BootTime {
        if case .snapshot = query { return sentAt + FleetLimits.snapshot }
        return sentAt + FleetLimits.query
    }
}
