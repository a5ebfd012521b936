/// A text in the bytes of its UTF-8 and few more; copies share them. Two are equal when their bytes are.
package struct CompactText: Hashable, Sendable {
    // It does not change once it is made.
    private nonisolated(unsafe) let storage: ManagedBuffer<UInt32, UInt8>

    /// - Parameter text: below 4 GB.
    package init(_ text: String) {
        var text = text
        self = text.withUTF8 { CompactText(utf8: $0) }
    }

    /// - Returns: nil where it is not ASCII.
    package init?(ascii bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        self.init(utf8: bytes)
    }

    private init(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        storage = ManagedBuffer<UInt32, UInt8>.create(minimumCapacity: bytes.count) { _ in UInt32(bytes.count) }
        storage.withUnsafeMutablePointerToElements { start in
            _ = UnsafeMutableBufferPointer(start: start, count: bytes.count).initialize(from: bytes)
        }
    }

    package var text: String {
        withBytes { String(decoding: $0, as: UTF8.self) }
    }

    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        storage.withUnsafeMutablePointers { count, start in
            body(UnsafeBufferPointer(start: start, count: Int(count.pointee)))
        }
    }

    package static func == (a: CompactText, b: CompactText) -> Bool {
        a.storage === b.storage || a.withBytes { a in b.withBytes { b in a.count == b.count && a.elementsEqual(b) } }
    }

    package func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
