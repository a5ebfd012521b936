/// The conditions of a takeover: the row as it was when it was read.
package struct Takeover: Hashable, Sendable {
    package let term: Int64
    package let beat: Int64
    package let incarnation: Int64
    package let newLeader: NodeRun
}
