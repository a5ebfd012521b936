/// The epoch and the heartbeat of a node's row when it was read.
package struct NodeMark: Hashable, Sendable {
    package let epoch: Int64
    package let beat: Int64

    package init(epoch: Int64, beat: Int64) {
        (self.epoch, self.beat) = (epoch, beat)
    }
}
