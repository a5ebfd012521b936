/// The conditions of every transaction of a leader. The server's identity must be that of the row as well.
package struct Fence: Hashable, Sendable {
    package let term: Int64
    package let leader: NodeRun
    package let incarnation: Incarnation

    package init(term: Int64, leader: NodeRun, incarnation: Incarnation) {
        (self.term, self.leader, self.incarnation) = (term, leader, incarnation)
    }
}
