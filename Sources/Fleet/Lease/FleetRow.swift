package import RecordKeeping

/// The row of a fleet in the table `fleet`.
package struct FleetRow: Hashable, Sendable {
    /// A number that each change of the leader and each new incarnation increments.
    package var term: Int64 = 0
    /// The run that leads or may begin to lead; nil before the first term and after a change of the incarnation.
    package var leader: NodeRun?
    /// A number that each heartbeat of the leader increments.
    package var beat: Int64 = 0
    /// The leader's clock when it sent this heartbeat.
    package var clock = BootTime(nanoseconds: 0)
    /// The last heartbeat that the leader knew to be successful when it sent this one.
    package var knownBeat: Int64 = 0
    /// The incarnation, which changes whenever commits may be missing. Terms of earlier incarnations are void.
    package var incarnation = Incarnation(number: 0, id: .none)
    /// The server on which this incarnation began.
    package var server: ServerID
    /// Whether the previous leader had committed the outcomes of all of its calls when it handed over.
    package var isHandedOver = false
    /// The last term with a successful call.
    package var succeededTerm: Int64 = 0
    /// The wall clock of the database at the last heartbeat. Only for display: it may step.
    package var beatAt = WallTime(milliseconds: 0)

    package init(server: ServerID) {
        self.server = server
    }
}
