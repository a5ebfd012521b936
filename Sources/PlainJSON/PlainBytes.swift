/// Bytes that mean themselves in a JSON text, looked at eight at a time (Warren, Hacker's Delight, 6-1).
package enum PlainBytes {
    /// All eight are from 0x20 to 0x7E, and none is a quotation mark or a backslash (RFC 8259, section 7).
    @inline(__always)
    package static func areAll(_ eight: UInt64) -> Bool {
        // A high bit is left where a byte is at fault; at its left neighbours it may be, too.
        let faults =
            isBelow(0x20, eight) | isZero(eight ^ all(0x22)) | isZero(eight ^ all(0x5C)) | isZero(eight ^ all(0x7F))
        return (faults | eight) & all(0x80) == 0
    }

    /// - Returns: up to where all bytes from `start` on are such; those that follow have to be looked at one by one.
    @inline(__always)
    package static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let memory = UnsafeRawBufferPointer(bytes)
        var position = start
        while position + 8 <= bytes.count,
            areAll(memory.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        { position += 8 }
        return position
    }

    @inline(__always)
    private static func all(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

    @inline(__always)
    private static func isBelow(_ bound: UInt64, _ eight: UInt64) -> UInt64 { (eight &- all(bound)) & ~eight }

    @inline(__always)
    private static func isZero(_ eight: UInt64) -> UInt64 { isBelow(1, eight) }
}
