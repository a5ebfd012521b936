import JSON
import Testing

@testable import Control
@testable import RecordKeeping

/// The cache must never write the fragment of another value.
struct FragmentCacheTests {
    private static func fragment(_ index: Int, _ generation: Int) -> [UInt8] { Array("\(index).\(generation);".utf8) }

    /// Writes the fragments of values, and returns the values that had to be encoded.
    private static func write(
        _ values: some Sequence<(index: Int, generation: Int)>, with cache: inout FragmentCache
    ) -> [Int] {
        var encoded: [Int] = []
        for (index, generation) in values {
            var writer = JSONWriter()
            cache.put(InternID(index: UInt32(index), generation: generation), to: &writer) {
                encoded.append(index)
                return fragment(index, generation)
            }
            #expect(writer.bytes == fragment(index, generation))
        }
        return encoded
    }

    @Test(arguments: [200, 10_000, 16_000])
    func `all values stay cached up to the limit`(count: Int) {
        var cache = FragmentCache()
        let values = (1...count).map { (index: $0, generation: 0) }
        _ = Self.write(values, with: &cache)
        // The number of slots has grown meanwhile.
        _ = Self.write(values, with: &cache)
        #expect(Self.write(values, with: &cache) == [])
    }

    @Test(arguments: [200, 10_000])
    func `a value whose index is reused is encoded, and does not make the cache grow`(count: Int) {
        var cache = FragmentCache()
        let values = (1...count).map { (index: $0, generation: 0) }
        for _ in 0..<2 { _ = Self.write(values, with: &cache) }
        #expect(Self.write([(index: 7, generation: 1)], with: &cache) == [7])
        #expect(Self.write(values.dropFirst(7), with: &cache) == [], "the others are still cached")
        #expect(Self.write([(index: 7, generation: 1)], with: &cache) == [])
    }

    @Test func `values beyond the limit replace others`() {
        var cache = FragmentCache()
        let values = (1...40_000).map { (index: $0, generation: 0) }
        for _ in 0..<3 { #expect(Self.write(values, with: &cache).count >= 40_000 - 16_384) }
        #expect(Self.write(values.suffix(16_384), with: &cache) == [])
    }

    @Test func `a long fragment is written and not cached`() {
        var cache = FragmentCache()
        let id = InternID(index: 1, generation: 0)
        for length in [1_024, 1_025, 5_000] {
            for _ in 0..<2 {
                var writer = JSONWriter()
                cache.put(id, to: &writer) { [UInt8](repeating: UInt8(ascii: "x"), count: length) }
                // The first fragment is cached.
                #expect(writer.bytes.count == 1_024)
            }
        }
        var other = FragmentCache()
        for length in [1_025, 5_000] {
            var writer = JSONWriter()
            other.put(id, to: &writer) { [UInt8](repeating: UInt8(ascii: "x"), count: length) }
            #expect(writer.bytes.count == length)
        }
    }

    @Test func `a value that cannot be encoded is not written`() {
        var cache = FragmentCache()
        var writer = JSONWriter()
        cache.put(InternID(index: 1, generation: 0), to: &writer) { nil }
        #expect(writer.bytes == [])
        #expect(Self.write([(index: 1, generation: 0)], with: &cache) == [1])
    }
}
