import RecordKeeping
import Testing

@testable import IPAPI

@Suite struct UniversalHashTests {
    private func digest(_ bytes: [UInt8]) -> ElementDigest? {
        bytes.withUnsafeBytes { ElementDigest(of: $0) }
    }

    @Test func `equal bytes have equal digests, at any alignment`() throws {
        let bytes = (0..<100).map { UInt8($0) }
        for count in 1...90 {
            let expected = try #require(digest(Array(bytes[..<count])))
            #expect(expected.length == count)
            for offset in 1..<8 {
                let moved = Array(repeating: 7, count: offset) + bytes[..<count]
                let found = moved.withUnsafeBytes { ElementDigest(of: UnsafeRawBufferPointer(rebasing: $0[offset...])) }
                #expect(found == expected)
            }
        }
    }

    @Test func `each byte of an element affects its digest`() throws {
        for count in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 600] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            for index in 0..<count {
                var changed = bytes
                changed[index] ^= 1 << UInt8(index % 8)
                #expect(digest(changed) != digest(bytes), "byte \(index) of \(count)")
            }
        }
    }

    @Test func `the order of words and the length affect the digest`() throws {
        let words = (0..<6).map { [UInt8](repeating: $0, count: 8) }
        #expect(digest(words.flatMap { $0 }) != digest(words.reversed().flatMap { $0 }))
        #expect(digest([0]) != digest([0, 0]))
    }

    /// The elements are random: for a few keys, elements that differ only in a counter leave a bit unchanged.
    @Test func `the hash uses all of its bits`() throws {
        var random = Random(seed: 1)
        let digests = (0..<200).compactMap { _ in
            digest((0..<32).map { _ in UInt8.random(in: 0 ... .max, using: &random) })
        }
        let hashes = digests.map { $0.bits >> UInt64(ElementDigest.lengthBits) }
        let bits = 64 - ElementDigest.lengthBits
        #expect(hashes.reduce(0, |) == 1 << UInt64(bits) - 1, "each bit is set in some hash")
        #expect(hashes.reduce(.max, &) == 0, "no bit is set in all of them")
        #expect(Set(hashes).count == 200)
    }

    @Test func `nothing, and more bytes than a digest can count, have no digest`() {
        #expect(digest([]) == nil)
        #expect(digest(Array(repeating: 0, count: UniversalHash.maxBytes))?.length == UniversalHash.maxBytes)
        #expect(digest(Array(repeating: 0, count: UniversalHash.maxBytes + 1)) == nil)
    }
}
