import Testing

@testable import MMDBWriter

@Suite struct OffsetIndexTests {
    @Test func `values with the same hash are distinguished`() {
        var index = OffsetIndex()
        for offset: UInt32 in [0, 7, .max - 1] { index.insert(hash: 0xABCD_0001, offset: offset) }
        for offset: UInt32 in [0, 7, .max - 1] {
            #expect(index.offset(hash: 0xABCD_0001) { $0 == offset } == offset)
        }
        #expect(index.offset(hash: 0xABCD_0001) { _ in false } == nil)
        #expect(index.offset(hash: 0xABCD_0002) { _ in true } == nil)
    }

    @Test func `all values are found after the table has grown`() {
        var random = SplitMix(state: 3)
        var (index, values): (OffsetIndex, [(hash: UInt32, offset: UInt32)]) = (OffsetIndex(), [])
        for offset in 0..<UInt32(20_000) {
            // Few hashes, so that many values share one.
            let hash = UInt32(truncatingIfNeeded: random.next()) & 0xFC00_0FFF
            index.insert(hash: hash, offset: offset)
            values.append((hash, offset))
        }
        for value in values { #expect(index.offset(hash: value.hash) { $0 == value.offset } == value.offset) }
    }
}
