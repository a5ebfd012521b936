/// The reason why a node has stopped participating in the fleet.
package enum StopReason: Hashable, Sendable {
    /// A live row with the same id belongs to another machine: the state directory was copied.
    case clonedState
    /// Another process with the same id has started.
    case superseded
    /// A row has an encoding that this version cannot read.
    case unknownEncoding(Int)
    case left
}
