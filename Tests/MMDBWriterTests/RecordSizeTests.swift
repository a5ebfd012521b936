import Testing

@testable import MMDBWriter

@Suite struct RecordSizeTests {
    @Test(arguments: [
        (0, 24), (0xFF_FFFF, 24), (0x100_0000, 28), (0xFFF_FFFF, 28), (0x1000_0000, 32), (0xFFFF_FFFF, 32),
    ])
    func `the smallest size that holds the largest record is used`(largest: Int, bits: Int) {
        #expect(RecordSize(for: largest)?.rawValue == bits)
    }

    @Test func `a record of more than 32 bits has no size`() {
        #expect(RecordSize(for: 0x1_0000_0000) == nil)
    }

    @Test func `a node has the layout of the specification`() {
        #expect(RecordSize.bits24.node(0x12_3456, 0x78_9ABC) == 0x1234_5678_9ABC)
        // The middle byte has the most significant bits of the left record, then those of the right one.
        #expect(RecordSize.bits28.node(0xA12_3456, 0xB78_9ABC) == 0x12_3456_AB_789ABC)
        #expect(RecordSize.bits32.node(0x1234_5678, 0x9ABC_DEF0) == 0x1234_5678_9ABC_DEF0)
    }
}
