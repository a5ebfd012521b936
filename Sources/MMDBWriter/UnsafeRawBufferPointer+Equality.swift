import Glibc

extension UnsafeRawBufferPointer {
    /// Whether both buffers have the same bytes. The standard library compares arrays of bytes one byte at a time.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        // `baseAddress` is nil only if the buffer is empty.
        guard let bytes = baseAddress, let others = other.baseAddress else { return true }
        return memcmp(bytes, others, count) == 0
    }
}
