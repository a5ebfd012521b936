/// The id of a commit of the leader's core, unique within one run of the node.
package struct CommitID: Hashable, Sendable {
    package let number: Int64
    package init(_ number: Int64) { self.number = number }
}
