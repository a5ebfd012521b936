/// The columns of its row that a node updates every two seconds.
package struct NodeBeat: Hashable, Sendable {
    package let run: NodeRun
    package let hasRoute: Bool
    package let applied: Int64

    package init(run: NodeRun, hasRoute: Bool, applied: Int64) {
        (self.run, self.hasRoute, self.applied) = (run, hasRoute, applied)
    }
}
