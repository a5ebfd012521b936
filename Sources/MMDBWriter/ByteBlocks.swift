/// Bytes in blocks of equal size. Appending never copies what was appended before, as a growing array would.
struct ByteBlocks {
    static let blockSize = 1 << 20

    /// All but the last block are full.
    private(set) var blocks: [[UInt8]] = []
    private(set) var count = 0

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            if count % Self.blockSize == 0 {
                blocks.append([])
                // A small database takes a small block.
                if count > 0 { blocks[blocks.count - 1].reserveCapacity(Self.blockSize) }
            }
            let part = rest.prefix(Self.blockSize - count % Self.blockSize)
            blocks[blocks.count - 1].append(contentsOf: part)
            count += part.count
            rest = rest.dropFirst(part.count)
        }
    }

    /// Whether these bytes are at an offset.
    func contains(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Bool {
        guard bytes.count <= count - offset else { return false }
        var (rest, position) = (bytes, offset)
        while !rest.isEmpty {
            let inside = position % Self.blockSize
            let part = rest.prefix(Self.blockSize - inside)
            let isEqual = blocks[position / Self.blockSize][inside..<inside + part.count].withUnsafeBytes { stored in
                part.withUnsafeBytes { stored.hasSameBytes(as: $0) }
            }
            guard isEqual else { return false }
            position += part.count
            rest = rest.dropFirst(part.count)
        }
        return true
    }
}
