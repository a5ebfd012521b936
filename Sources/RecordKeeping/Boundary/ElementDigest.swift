/// Identifies the bytes of an element of a reply. If the digests of two elements are equal, their bytes are considered
/// equal; the probability that they differ is negligible.
///
/// A digest is valid only in the process that made it. It consists of the length and of a hash with a secret key, so
/// the provider cannot make other bytes with the same digest.
package struct ElementDigest: Hashable, Sendable {
    /// The length in the lowest 14 bits, and 50 bits of the hash. Never 0.
    package let bits: UInt64

    private static let lengthBits = 14

    /// - Returns: nil for bytes that are empty, or too many for a digest.
    package init?(of bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty, bytes.count < 1 << Self.lengthBits else { return nil }
        // The key of `Hasher` is random in each process.
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        bits = UInt64(bitPattern: Int64(hasher.finalize())) << UInt64(Self.lengthBits) | UInt64(bytes.count)
    }

    /// - Parameter bits: the bits of another digest.
    init(bits: UInt64) { self.bits = bits }

    /// The number of bytes.
    package var length: Int { Int(bits & (1 << UInt64(Self.lengthBits) - 1)) }
}
