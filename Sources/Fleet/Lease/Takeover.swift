/// The conditions of a takeover: the row as it was when it was read.
package struct Takeover: Hashable, Sendable {
    package let term: Int64
    package let beat: Int64
    package let incarnation: Incarnation
    package let newLeader: NodeRun

    package init(term: Int64, beat: Int64, incarnation: Incarnation, newLeader: NodeRun) {
        (self.term, self.beat, self.incarnation, self.newLeader) = (term, beat, incarnation, newLeader)
    }
}
