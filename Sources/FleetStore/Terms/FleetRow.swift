package import RecordKeeping

/// The row of a fleet in the table `fleet`.
package struct FleetRow: Hashable, Sendable {
    /// A number that each change of the leader increments.
    package var term: Int64 = 0
    /// The run that leads or may begin to lead; nil before the first term and after a change of the incarnation.
    package var leader: NodeRun?
    /// A number that each heartbeat of the leader increments.
    package var beat: Int64 = 0
    /// The leader's clock when it sent this heartbeat.
    package var clock = BootTime(nanoseconds: 0)
    /// The last heartbeat that the leader knew to be successful when it sent this one.
    package var knownBeat: Int64 = 0
    /// A number that is incremented whenever commits may be missing. Terms of earlier incarnations are void.
    package var incarnation = Incarnation(number: 0, id: UniqueID(high: 0, low: 0))
    /// The server on which this incarnation began.
    package var server: ServerID
    /// Whether the previous leader had committed the outcomes of all of its calls when it handed over.
    package var isHandedOver = false
    /// The last term with a successful call.
    package var succeededTerm: Int64 = 0
    /// The wall clock of the database at the last heartbeat. Only shown to people: it may step.
    package var beatAt = WallTime(milliseconds: 0)

    package init(server: ServerID) {
        self.server = server
    }
}

/// A history of the database, which ends when commits may be missing.
package struct Incarnation: Hashable, Sendable {
    /// The number, which each new incarnation increments.
    package let number: Int64
    /// A random id: after two restores, two incarnations can have the same number.
    package let id: UniqueID

    package init(number: Int64, id: UniqueID) {
        (self.number, self.id) = (number, id)
    }
}

/// The conditions of every transaction of a leader. The server's identity must be that of the row as well.
package struct Fence: Hashable, Sendable {
    package let term: Int64
    package let leader: NodeRun
    package let incarnation: Incarnation

    package init(term: Int64, leader: NodeRun, incarnation: Incarnation) {
        (self.term, self.leader, self.incarnation) = (term, leader, incarnation)
    }
}

/// A heartbeat of the leader.
package struct LeaseBeat: Hashable, Sendable {
    package let fence: Fence
    package let clock: BootTime
    package let knownBeat: Int64
    /// Whether a call has succeeded in this term.
    package let hasSucceeded: Bool

    package init(fence: Fence, clock: BootTime, knownBeat: Int64, hasSucceeded: Bool) {
        (self.fence, self.clock, self.knownBeat, self.hasSucceeded) = (fence, clock, knownBeat, hasSucceeded)
    }
}

/// The conditions of a takeover: the row as it was when it was read.
package struct Takeover: Hashable, Sendable {
    package let term: Int64
    package let beat: Int64
    package let incarnation: Incarnation
    package let newLeader: NodeRun

    package init(term: Int64, beat: Int64, incarnation: Incarnation, newLeader: NodeRun) {
        (self.term, self.beat, self.incarnation, self.newLeader) = (term, beat, incarnation, newLeader)
    }
}
