/// The bytes of one or more strings, stored with the byte count in one allocation that copies share. Equality compares
/// bytes, so canonically equivalent strings may differ.
struct CompactText: Hashable, Sendable {
    // Safe to share between threads: the buffer is written only in the initializer.
    private nonisolated(unsafe) let storage: ManagedBuffer<UInt32, UInt8>

    /// Copies bytes.
    ///
    /// - Parameter bytes: less than 4 GiB.
    init(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        storage = ManagedBuffer<UInt32, UInt8>.create(minimumCapacity: bytes.count) { _ in UInt32(bytes.count) }
        storage.withUnsafeMutablePointerToElements { start in
            _ = UnsafeMutableBufferPointer(start: start, count: bytes.count).initialize(from: bytes)
        }
    }

    /// Passes the bytes to `body`. The buffer is valid only until `body` returns.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        storage.withUnsafeMutablePointers { count, start in
            body(UnsafeBufferPointer(start: start, count: Int(count.pointee)))
        }
    }

    static func == (a: CompactText, b: CompactText) -> Bool {
        a.storage === b.storage || a.withBytes { a in b.withBytes { b in a.count == b.count && a.elementsEqual(b) } }
    }

    func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
