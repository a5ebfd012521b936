/// The number of a client's request, unique within one run of the node.
package struct RequestNumber: Hashable, Sendable {
    package let number: Int64
    package init(_ number: Int64) { self.number = number }
}
