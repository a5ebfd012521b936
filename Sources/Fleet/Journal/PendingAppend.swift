import RecordKeeping

/// The commit of the leader's core that is being written.
struct PendingAppend: Sendable {
    enum Phase: Hashable, Sendable {
        /// The row must be sent, for the first time or again. It is certainly not committed.
        case unsent
        case sent(JournalRow)
        /// The outcome of the row is unknown.
        case unresolved(JournalRow)
    }

    let id: CommitID
    let body: [UInt8]
    let outcomes: [ProposalOutcome]
    var phase = Phase.unsent
    /// When the row was first sent; nil if it was not sent.
    var firstSentAt: BootTime?

    init(id: CommitID, body: [UInt8], outcomes: [ProposalOutcome]) {
        (self.id, self.body, self.outcomes) = (id, body, outcomes)
    }

    /// Whether the commit has been unanswered for so long that the leader stops its heartbeats.
    func isOverdue(at now: BootTime) -> Bool {
        guard let firstSentAt else { return false }
        return now - firstSentAt >= FleetLimits.unansweredCommit
    }
}
