/// The outcome of a proposal, which is committed together with its changes.
package struct ProposalOutcome: Hashable, Sendable {
    package let id: UniqueID
    /// The reply to the client, which this module does not interpret.
    package let reply: [UInt8]

    package init(id: UniqueID, reply: [UInt8]) {
        (self.id, self.reply) = (id, reply)
    }
}
