package import RecordKeeping

/// A random number of 128 bits, which no other operation, row or proposal of any fleet has.
package struct UniqueID: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// Draws an id. The seed of the generator must be random, and different for each run of a process.
    package init(from random: inout Random) {
        (high, low) = (random.next(), random.next())
    }

    package static func < (a: UniqueID, b: UniqueID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
