import Testing

@testable import GeoDatabase

/// Digests that are stored, so that they must not change.
@Suite struct ContentDigestTests {
    private static func digest(of bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        var digest = ContentDigest(seed: seed)
        bytes.withUnsafeBytes { digest.add($0) }
        return digest.bits
    }

    /// Digests of the bytes 0, 1, 2, …, calculated by another program. If they change, all records of local databases
    /// are read again after an update.
    private static let known: [(count: Int, digest: UInt64)] = [
        (0, 0x19BF_F4D1_8CBE_8B60),
        (7, 0x4059_BF3A_AA3A_7647),
        (8, 0xFCD7_F1CA_6A1D_E982),
        (100, 0x1527_9DA6_22A3_99D3),
    ]

    @Test(arguments: known) func `a digest never changes`(count: Int, digest: UInt64) {
        #expect(Self.digest(of: (0..<count).map { UInt8($0) }) == digest)
    }

    @Test func `each bit, the length, the order and the seed determine a digest`() {
        let bytes = (0..<29).map { UInt8($0) }
        var digests: Set = [Self.digest(of: bytes), Self.digest(of: bytes, seed: 1), Self.digest(of: bytes.reversed())]
        for count in 0..<29 { digests.insert(Self.digest(of: Array(bytes.prefix(count)))) }
        for bit in 0..<29 * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            digests.insert(Self.digest(of: changed))
        }
        digests.insert(Self.digest(of: bytes + [0]))
        #expect(digests.count == 3 + 29 + 29 * 8 + 1)
    }
}
