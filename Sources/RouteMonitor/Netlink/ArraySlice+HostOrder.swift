extension ArraySlice<UInt8> {
    /// Returns the integer in host order at a byte offset; nil if it is not completely in the slice.
    func hostOrder<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type, at offset: Int) -> Value? {
        let size = MemoryLayout<Value>.size
        guard offset >= 0, count >= size, offset <= count - size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }

    /// Returns the slice from `offset` on; empty if `offset` is beyond the end.
    func after(_ offset: Int) -> ArraySlice<UInt8> { dropFirst(Swift.max(0, offset)) }
}

extension [UInt8] {
    /// Appends an integer in host order, as netlink(7) requires.
    mutating func append(hostOrder value: some FixedWidthInteger & BitwiseCopyable) {
        Swift.withUnsafeBytes(of: value) { append(contentsOf: $0) }
    }
}
