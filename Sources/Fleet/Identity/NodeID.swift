/// The id of a node: random text in its state directory.
package struct NodeID: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func < (a: NodeID, b: NodeID) -> Bool { a.text < b.text }
}

/// One run of a node's process. A node that was restarted is another run, and has nothing of the earlier one.
package struct NodeRun: Hashable, Sendable {
    package let node: NodeID
    /// A number that each start of the node increments, by a random amount: after a restore, two runs of a node could
    /// otherwise get the same number.
    package let epoch: Int64

    package init(node: NodeID, epoch: Int64) {
        (self.node, self.epoch) = (node, epoch)
    }
}
