/// The content of a complete MMDB file, ready to be written.
package struct MMDBFile {
    private let tree: SearchTree
    private let data: ByteBlocks
    private let metadata: [UInt8]
    private let recordSize: RecordSize

    /// Size of the portions in bytes, except for parts of the data section and for the last one.
    private static let portionBytes = 1 << 16

    init(
        tree: SearchTree, data: ByteBlocks, metadata: MMDBMetadata, maxNodesAndBytes: Int
    ) throws(MMDBError) {
        let nodeCount = tree.nodeCount
        guard let recordSize = RecordSize(for: nodeCount + DatabaseLayout.separatorBytes + Int(tree.maxOffset)) else {
            throw .databaseTooLarge
        }
        self.tree = tree
        self.data = data
        self.recordSize = recordSize
        self.metadata = try metadata.section(nodeCount: UInt32(nodeCount), recordSize: recordSize)
        let bytesAfterTree = DatabaseLayout.separatorBytes + data.count + self.metadata.count
        guard nodeCount + bytesAfterTree <= maxNodesAndBytes else { throw .databaseTooLarge }
    }

    /// Number of nodes in the search tree.
    package var nodeCount: Int { tree.nodeCount }

    /// Size of the file in bytes.
    package var byteCount: Int {
        nodeCount * recordSize.nodeBytes + DatabaseLayout.separatorBytes + data.count + metadata.count
    }

    /// Passes the bytes of the file to `body`, in portions of at most a mebibyte.
    package func write<Failure>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        // Each node is written as eight bytes, of which the next node overwrites those that are not part of it.
        var portion = [UInt8](repeating: 0, count: Self.portionBytes + 8)
        var count = 0
        let (nodeBytes, unusedBits) = (recordSize.nodeBytes, UInt64(64 - 8 * recordSize.nodeBytes))
        try tree.forEachNode { left, right throws(Failure) in
            let node = (recordSize.node(left, right) << unusedBits).bigEndian
            portion.withUnsafeMutableBytes { $0.storeBytes(of: node, toByteOffset: count, as: UInt64.self) }
            count += nodeBytes
            if count >= Self.portionBytes {
                try body(Array(portion[..<count]))
                count = 0
            }
        }
        try body(portion[..<count] + [UInt8](repeating: 0, count: DatabaseLayout.separatorBytes))
        for block in data.blocks { try body(block) }
        try body(metadata)
    }
}

/// Constants of the file's layout.
enum DatabaseLayout {
    /// Number of zero bytes between the search tree and the data section.
    static let separatorBytes = 16
}
