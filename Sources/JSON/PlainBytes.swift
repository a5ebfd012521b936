/// Detection of bytes that need no interpretation in a JSON string, eight bytes at a time (Warren, Hacker's Delight,
/// 6-1).
package enum PlainBytes {
    /// Whether all eight bytes are printable ASCII (0x20 to 0x7E) other than a quotation mark and a backslash (RFC
    /// 8259, section 7).
    @inline(__always)
    package static func areAll(_ eight: UInt64) -> Bool {
        // Each excluded byte sets its own high bit. A borrow can also set the high bit of the next more significant
        // byte, but only an excluded byte causes a borrow.
        let faults =
            isBelow(0x20, eight) | isZero(eight ^ all(0x22)) | isZero(eight ^ all(0x5C)) | isZero(eight ^ all(0x7F))
        return (faults | eight) & all(0x80) == 0
    }

    /// Returns an index such that no byte from `start` up to that index needs interpretation. The search advances by
    /// eight bytes, so the caller examines the following bytes one by one.
    @inline(__always)
    package static func end(of bytes: RawSpan, from start: Int) -> Int {
        var position = start
        while position + 8 <= bytes.byteCount,
            areAll(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
        { position += 8 }
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
