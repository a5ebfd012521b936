/// The strings that a record rarely shares with other records: the postal code and the reverse name. They are stored in
/// one allocation that copies share. Equality compares bytes, so canonically equivalent strings may differ.
package struct OwnTexts: Hashable, Sendable {
    /// The length of the postal code in two bytes, the postal code, and the reverse name; nil if both are missing.
    private let packed: CompactText?

    private static let lengthBytes = 2
    /// Maximum length of a postal code in bytes.
    package static let maxZipBytes = Int(UInt16.max)

    package init() {
        packed = nil
    }

    /// - Parameters:
    ///   - zip: the postal code, at most `maxZipBytes` bytes of UTF-8; nil if there is none.
    ///   - reverse: the reverse name; nil if there is none. Neither is empty.
    package init(zip: String?, reverse: String?) {
        var (zip, reverse) = (zip ?? "", reverse ?? "")
        self = zip.withUTF8 { zip in reverse.withUTF8 { OwnTexts(zip: zip, reverse: $0) } }
    }

    /// Copies ASCII bytes; an empty buffer stands for no text. Returns nil if a byte is not ASCII.
    package init?(asciiZip zip: UnsafeBufferPointer<UInt8>, reverse: UnsafeBufferPointer<UInt8>) {
        guard zip.count <= Self.maxZipBytes, zip.allSatisfy({ $0 < 0x80 }), reverse.allSatisfy({ $0 < 0x80 }) else {
            return nil
        }
        self.init(zip: zip, reverse: reverse)
    }

    private init(zip: UnsafeBufferPointer<UInt8>, reverse: UnsafeBufferPointer<UInt8>) {
        guard !zip.isEmpty || !reverse.isEmpty else {
            packed = nil
            return
        }
        precondition(zip.count <= Self.maxZipBytes, "the postal code is too long")
        packed = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.lengthBytes + zip.count + reverse.count) {
            $0[0] = UInt8(truncatingIfNeeded: zip.count)
            $0[1] = UInt8(zip.count >> 8)
            _ = $0[Self.lengthBytes...].update(fromContentsOf: zip)
            _ = $0[(Self.lengthBytes + zip.count)...].update(fromContentsOf: reverse)
            return CompactText(utf8: UnsafeBufferPointer($0))
        }
    }

    /// The postal code; nil if there is none.
    package var zip: String? {
        withBytes { zip, _ in zip.isEmpty ? nil : String(decoding: zip, as: UTF8.self) }
    }

    /// The reverse name; nil if there is none.
    package var reverse: String? {
        withBytes { _, reverse in reverse.isEmpty ? nil : String(decoding: reverse, as: UTF8.self) }
    }

    /// Passes the UTF-8 bytes of the postal code and of the reverse name to `body`; an empty buffer stands for no text.
    /// The buffers are valid only until `body` returns.
    package func withBytes<Result>(
        _ body: (_ zip: UnsafeBufferPointer<UInt8>, _ reverse: UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard let packed else { return body(.init(start: nil, count: 0), .init(start: nil, count: 0)) }
        return packed.withBytes { bytes in
            let end = Self.lengthBytes + Int(bytes[0]) + Int(bytes[1]) << 8
            return body(.init(rebasing: bytes[Self.lengthBytes..<end]), .init(rebasing: bytes[end...]))
        }
    }
}
