/// The local facts that a member starts with: from the configuration, the machine and the state directory.
package struct NodeIdentity: Hashable, Sendable {
    package var id: NodeID
    package var name: String
    package var machine: String
    package var version: String
    /// The highest encoding of journal rows that the node can read.
    package var encoding: Int

    package init(id: NodeID, name: String, machine: String, version: String, encoding: Int) {
        (self.id, self.name, self.machine) = (id, name, machine)
        (self.version, self.encoding) = (version, encoding)
    }
}
