package import RecordKeeping

/// An input of a member: a fact that a shell or the engine reports.
package enum FleetEvent: Hashable, Sendable {
    case started
    case replied(FleetQuery.ID, FleetReply)
    case failed(FleetQuery.ID, FleetFailure)
    /// The timer has fired, possibly early.
    case deadlineReached
    /// Another node has sent a notification. It may be lost, so it only causes an earlier poll.
    case hinted
    /// The local store has stored everything up to this row, and the cursor in the same transaction.
    case applied(JournalCursor)

    /// The core of the leader has changes to commit. The next commit follows only after the outcome of this one.
    case commit(CommitID, body: [UInt8], outcomes: [ProposalOutcome])
    /// A client requests a change.
    case requested(RequestID, user: UInt32, body: [UInt8], until: BootTime)
    /// The client of a request has gone. Its change may still be made.
    case clientLeft(RequestID)

    case routeChanged(hasRoute: Bool)
    /// A call of the leader has ended.
    case callEnded(hasSucceeded: Bool)
    /// After `.stopCalls`: no call is in flight, and all outcomes are committed.
    case callsStopped
    /// The core no longer keeps events of rows up to this number.
    case historyExpired(through: Int64)
    /// The node leaves the fleet.
    case leaving
}
