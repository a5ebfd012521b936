/// The id of a node: random text in its state directory.
package struct NodeID: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func < (a: NodeID, b: NodeID) -> Bool { a.text < b.text }
}
