/// Identifies the bytes of an element of a reply. If the digests of two elements are equal, their bytes are considered
/// equal; the probability that they differ is negligible.
///
/// A digest is valid only in the process that computed it. It consists of the length and of a hash with a secret key,
/// so the provider cannot construct different bytes with the same digest.
package struct ElementDigest: Hashable, Sendable {
    /// The length in the lowest 14 bits, and 50 bits of the hash. Never 0.
    package let bits: UInt64

    package static let lengthBits = 14

    /// - Parameters:
    ///   - hash: a hash, of which the lower 50 bits are used.
    ///   - length: the length of the element in bytes, from 1 to 2¹⁴ - 1.
    package init(hash: UInt64, length: Int) {
        precondition(length > 0 && length < 1 << Self.lengthBits, "an element of this length has no digest")
        bits = hash << UInt64(Self.lengthBits) | UInt64(length)
    }

    /// - Parameter bits: the bits of another digest.
    init(bits: UInt64) { self.bits = bits }

    /// The number of bytes.
    package var length: Int { Int(bits & (1 << UInt64(Self.lengthBits) - 1)) }
}
