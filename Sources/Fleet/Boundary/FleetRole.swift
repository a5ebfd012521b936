package import RecordKeeping

/// The part that a node plays.
package enum FleetRole: Hashable, Sendable {
    /// The node applies the journal, makes no calls and holds no deadlines.
    case following
    /// The node's core decides and commits. Whether it may send a call at the moment is the result of `mayCall`.
    case leading(Leadership)
    /// The node has stopped for this reason, and serves what it has.
    case stopped(StopReason)
}

/// The conditions of a new leader.
package struct Leadership: Hashable, Sendable {
    package let term: Int64
    /// The time from which addresses may be called that the predecessor may have called as well: those that may have
    /// been due before this leadership began.
    package let affectedFrom: BootTime
    /// Whether the journal contains all reservations. If not, the quota counts as spent for a lease and a whole window.
    package let isQuotaKnown: Bool
    /// The encoding of rows that all live nodes can read.
    package let encoding: Int
}

/// The reason why a node takes no part in the fleet.
package enum StopReason: Hashable, Sendable {
    /// A live row with the same id belongs to another machine: the state directory was copied.
    case clonedState
    /// Another process with the same id has started.
    case superseded
    /// A row has an encoding that this version cannot read.
    case unknownEncoding(Int)
    case left
}
