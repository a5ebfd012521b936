/// A random 128-bit id of an operation, a row or a proposal.
package struct UniqueID: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    /// The id of no row, such as the predecessor of the first one.
    package static let none = UniqueID(high: 0, low: 0)

    package init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    package static func < (a: UniqueID, b: UniqueID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
