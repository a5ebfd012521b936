import JSON
import Testing

/// Compares the check of eight bytes at a time with a check of each byte.
@Suite struct PlainBytesTests {
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    @Test func `the first byte that is not plain is found at each position, regardless of its neighbours`() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<8 {
                for other in [0x20, 0x21, 0x23, 0x41, 0x5B, 0x5D, 0x7E, 0x22, 0x80] as [UInt8] {
                    // The bytes after it must not matter.
                    var bytes = [UInt8](repeating: Self.isPlain(other) ? other : UInt8(ascii: "a"), count: place)
                    bytes += [byte] + [UInt8](repeating: other, count: 7 - place)
                    let eight = bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
                    #expect(PlainBytes.count(in: eight) == bytes.firstIndex { !Self.isPlain($0) } ?? 8, "\(bytes)")
                }
            }
        }
    }

    @Test(arguments: 0..<40)
    func `the end is the first byte that is not plain, or within the last eight bytes`(length: Int) {
        for fault in 0...length {
            var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
            if fault < length { bytes[fault] = 0x0A }
            for start in 0...length {
                let end = PlainBytes.end(of: bytes.span.bytes, from: start)
                #expect(end >= start && bytes[start..<end].allSatisfy(Self.isPlain))
                let first = bytes[start...].firstIndex(of: 0x0A) ?? length
                #expect(end == first || end > length - 8, "only the last seven bytes remain to be checked singly")
            }
        }
    }
}
