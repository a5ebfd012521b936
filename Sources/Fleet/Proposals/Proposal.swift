/// A change that a client of any node requests, as a row of the table `proposal`.
package struct Proposal: Hashable, Sendable {
    package let id: UniqueID
    package let node: NodeID
    package let user: UInt32
    /// The request, which this module does not interpret.
    package let body: [UInt8]

    package init(id: UniqueID, node: NodeID, user: UInt32, body: [UInt8]) {
        (self.id, self.node, self.user, self.body) = (id, node, user, body)
    }
}
