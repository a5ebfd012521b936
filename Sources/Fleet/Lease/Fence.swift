/// The conditions of every transaction of a leader. The server's identity must be that of the row as well.
package struct Fence: Hashable, Sendable {
    package let term: Int64
    package let leader: NodeRun
    package let incarnation: Int64
}
