/// The parts of gzip (RFC 1952) that the tests need.
enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// Returns the bytes as one stored block (RFC 1951 §3.2.4).
    ///
    /// - Parameter bytes: fewer than 65,536.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let length = [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let trailer = [checksum(bytes), UInt32(bytes.count)].flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        return header + [1] + length + bytes + trailer
    }

    /// A decompression bomb: at least this many spaces, at 13 bits for each 258 of them. It lacks the trailer.
    static func bomb(spaces: Int) -> [UInt8] {
        var bits: [UInt8] = [1, 1, 0]  // last block, fixed codes
        bits += [0, 1, 0, 1, 0, 0, 0, 0]  // a space
        // Length 258 (symbol 285), distance 1.
        for _ in 0...(spaces / 258) { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
        bits += [0, 0, 0, 0, 0, 0, 0]
        return header
            + stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | $1.element << $1.offset }
            }
    }

    /// CRC-32 (RFC 1952 §8).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
