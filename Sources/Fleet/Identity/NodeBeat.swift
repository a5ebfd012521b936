/// The columns of its row that a node updates every two seconds.
package struct NodeBeat: Hashable, Sendable {
    package let run: NodeRun
    package let hasRoute: Bool
    package let applied: Int64
}
