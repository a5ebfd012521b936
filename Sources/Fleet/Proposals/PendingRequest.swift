import RecordKeeping

/// A client's request for a change that waits for its outcome.
struct PendingRequest: Sendable {
    enum Phase: Hashable, Sendable {
        /// The proposal must be sent to the database.
        case waiting
        /// The proposal is in the database, or has been sent.
        case proposed
        /// The core of this node runs the proposal.
        case executing
        /// The outcome is in the journal. This node has not applied it yet, or does not know yet that it is safe.
        case decided
    }

    /// Nil if the client has disconnected.
    var id: RequestID?
    let proposal: Proposal
    /// The time limit of the client.
    let until: BootTime
    var phase = Phase.waiting
    /// Whether the proposal may have been sent to the database or run.
    var mayHaveBegun = false
    /// The reply in the journal; nil if this node has not read it yet.
    var reply: [UInt8]?
    /// Whether a transaction of this node has waited for the standby since the outcome was in the journal. After a
    /// crash of the server, a commit is visible even if the standby does not have it.
    var isConfirmed = false

    init(id: RequestID?, proposal: Proposal, until: BootTime) {
        (self.id, self.proposal, self.until) = (id, proposal, until)
    }

    /// The time from which the outcome counts as unknown.
    var end: BootTime { until + FleetLimits.outcomeWait }

    /// Whether the request has expired.
    func isOver(at now: BootTime) -> Bool {
        guard until <= now, reply == nil || !isConfirmed else { return false }
        return !mayHaveBegun || end <= now
    }

    /// Whether a withdrawal is due. It ends the proposal, or confirms its outcome.
    func mustBeWithdrawn(at now: BootTime) -> Bool {
        mayHaveBegun && !isConfirmed && (phase == .decided || until <= now)
    }
}
