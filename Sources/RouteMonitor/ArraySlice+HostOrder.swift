extension ArraySlice<UInt8> {
    /// The integer in host order that begins `offset` bytes into the slice; nil unless it is whole.
    func hostOrder<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type, at offset: Int) -> Value? {
        let size = MemoryLayout<Value>.size
        guard offset >= 0, count >= size, offset <= count - size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }

    /// The slice from `offset` on; empty where there is nothing.
    func after(_ offset: Int) -> ArraySlice<UInt8> { dropFirst(Swift.max(0, offset)) }
}

extension [UInt8] {
    /// Appends an integer in host order, as netlink has them (netlink(7)).
    mutating func append(hostOrder value: some FixedWidthInteger & BitwiseCopyable) {
        Swift.withUnsafeBytes(of: value) { append(contentsOf: $0) }
    }
}
