package import RecordKeeping

/// A row of the table `node`.
package struct NodeRow: Hashable, Sendable {
    package var id: NodeID
    /// The display name.
    package var name: String
    package var epoch: Int64
    /// The identity of the machine, which distinguishes a restart from a copy of the state directory.
    package var machine: String
    /// A number that each heartbeat increments.
    package var beat: Int64 = 0
    /// Whether the kernel has a route to the provider.
    package var hasRoute = true
    /// The term that the node gave up because its calls failed; nil if it never did.
    package var failedTerm: Int64?
    package var version: String
    /// The highest encoding of journal rows that the node can read.
    package var encoding: Int
    /// The number of the last row that the node has applied.
    package var applied: Int64 = 0
    package var hasLeft = false
    /// The wall clock of the database at the last heartbeat. Only for display: it may step.
    package var beatAt = WallTime(milliseconds: 0)

    package init(id: NodeID, name: String, epoch: Int64, machine: String, version: String, encoding: Int) {
        (self.id, self.name, self.epoch, self.machine) = (id, name, epoch, machine)
        (self.version, self.encoding) = (version, encoding)
    }

    package var run: NodeRun { NodeRun(node: id, epoch: epoch) }
    /// The state that a conditional change to the row expects.
    package var mark: NodeMark { NodeMark(epoch: epoch, beat: beat) }
}
