/// One run of a node's process. A restart begins a new run, which keeps nothing of the earlier one in memory.
package struct NodeRun: Hashable, Sendable {
    package let node: NodeID
    /// A number that each start of the node increments, by a random amount: after a restore, two runs of a node could
    /// otherwise get the same number.
    package let epoch: Int64

    package init(node: NodeID, epoch: Int64) {
        (self.node, self.epoch) = (node, epoch)
    }
}
