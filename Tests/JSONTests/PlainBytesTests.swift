import JSON
import Testing

/// Compares the check of eight bytes at a time with a check of each byte.
@Suite struct PlainBytesTests {
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    @Test func `each byte is classified correctly at each position, regardless of its neighbours`() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<8 {
                for other in [0x20, 0x21, 0x23, 0x41, 0x5B, 0x5D, 0x7E] as [UInt8] {
                    var bytes = [UInt8](repeating: other, count: 8)
                    bytes[place] = byte
                    let eight = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
                    #expect(PlainBytes.areAll(eight) == Self.isPlain(byte), "\(bytes)")
                }
            }
        }
    }

    @Test(arguments: 0..<40) func `the end is within eight bytes of the first byte that is not plain`(length: Int) {
        for fault in 0...length {
            var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
            if fault < length { bytes[fault] = 0x0A }
            for start in 0...length {
                let end = PlainBytes.end(of: bytes.span.bytes, from: start)
                #expect(end >= start && bytes[start..<end].allSatisfy(Self.isPlain))
                let first = bytes[start...].firstIndex(of: 0x0A) ?? length
                #expect(first - end < 8, "at most seven plain bytes remain to be checked singly")
            }
        }
    }
}
