/// The id of a client's request, unique within one run of the node.
package struct RequestID: Hashable, Sendable {
    package let number: Int64
    package init(_ number: Int64) { self.number = number }
}
