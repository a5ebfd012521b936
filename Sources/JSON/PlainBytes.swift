/// Detection of bytes that need no interpretation in a JSON string, eight bytes at a time (Warren, Hacker's Delight,
/// 6-1).
package enum PlainBytes {
    /// Returns the number of leading bytes, from the least significant, that are printable ASCII (0x20 to 0x7E) other
    /// than a quotation mark and a backslash (RFC 8259, section 7); at most eight.
    @inline(__always)
    package static func count(in eight: UInt64) -> Int {
        // Each excluded byte sets its own high bit. A borrow can also set the high bit of the next more significant
        // byte, but only an excluded byte causes a borrow, so the least significant bit is always right.
        let faults =
            isBelow(0x20, eight) | isZero(eight ^ all(0x22)) | isZero(eight ^ all(0x5C)) | isZero(eight ^ all(0x7F))
        return ((faults | eight) & all(0x80)).trailingZeroBitCount / 8
    }

    /// Returns the index of the first byte from `start` that may need interpretation. If fewer than eight bytes remain,
    /// the search stops, and the caller examines these bytes one at a time.
    @inline(__always)
    package static func end(of bytes: RawSpan, from start: Int) -> Int {
        var position = start
        while position + 8 <= bytes.byteCount {
            let eight = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self)
            let plain = count(in: UInt64(littleEndian: eight))
            position += plain
            if plain < 8 { break }
        }
        return position
    }

    package static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        end(of: RawSpan(_unsafeBytes: UnsafeRawBufferPointer(bytes)), from: start)
    }

    @inline(__always)
    private static func all(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

    @inline(__always)
    private static func isBelow(_ bound: UInt64, _ eight: UInt64) -> UInt64 { (eight &- all(bound)) & ~eight }

    @inline(__always)
    private static func isZero(_ eight: UInt64) -> UInt64 { isBelow(1, eight) }
}
