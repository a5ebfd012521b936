/// The search tree of an MMDB file, as the sorted list of its networks. Nodes are not kept in memory: an IPv6 address
/// alone can take a hundred.
///
/// Nodes are numbered in preorder: a node, then its left branch, then its right branch. The path to a leaf shares its
/// first nodes with the path to the leaf before it. The leaf adds the rest of its path, with consecutive numbers.
/// Therefore the number of a right child is the number of the first node that the first leaf below it adds.
struct SearchTree {
    private(set) var entries: [TreeEntry]
    private(set) var nodeCount = 0
    /// Offset of the last value in the data section to which a record refers.
    private(set) var maxOffset: UInt32 = 0

    /// - Parameter entries: in any order. Of equal networks, the last one counts.
    init(_ entries: consuming [TreeEntry], maxNodes: Int) throws(MMDBError) {
        self.entries = consume entries
        sort()
        markCovers()
        try numberNodes(max: maxNodes)
    }

    private mutating func sort() {
        // The daemon lists addresses in order. The sort is stable: of equal networks, the last one inserted comes last.
        let isSorted = zip(entries, entries.dropFirst()).allSatisfy { !TreeEntry.precedes($1, $0) }
        if !isSorted { entries.sort(by: TreeEntry.precedes) }
    }

    private mutating func markCovers() {
        for index in entries.indices {
            // The root is a node, so a network of all addresses is not a leaf.
            let hasInner = index + 1 < entries.count && entries[index].contains(entries[index + 1])
            entries[index].isCover = hasInner || entries[index].prefixLength == 0
        }
    }

    private mutating func numberNodes(max maxNodes: Int) throws(MMDBError) {
        var previous: Int?
        /// The leaves whose next branch has not been found, by increasing depth of their own branch.
        var open: [Int] = []
        for index in entries.indices {
            if case .value(let offset) = entries[index].target { maxOffset = max(maxOffset, offset) }
            guard !entries[index].isCover else { continue }
            if let previous { entries[index].firstDepth = entries[previous].commonBits(with: entries[index]) + 1 }
            while let last = open.last, entries[last].firstDepth > entries[index].firstDepth {
                entries[last].nextBranch = UInt32(index)
                open.removeLast()
            }
            open.append(index)
            previous = index
            guard nodeCount <= maxNodes else { throw .databaseTooLarge }
            entries[index].firstNode = UInt32(nodeCount)
            nodeCount += Int(entries[index].prefixLength - entries[index].firstDepth)
        }
        for index in open { entries[index].nextBranch = UInt32(entries.count) }
        nodeCount = max(nodeCount, 1)
        guard nodeCount <= maxNodes else { throw .databaseTooLarge }
    }

    /// Calls `body` with the left and the right record of each node, in the order of the nodes' numbers.
    func forEachNode<Failure>(_ body: (UInt32, UInt32) throws(Failure) -> Void) throws(Failure) {
        let records = TreeRecords(self)
        var covers: [TreeEntry] = []
        var branches = [UInt32?](repeating: nil, count: 128)
        var isEmpty = true
        for (index, entry) in entries.enumerated() {
            while let last = covers.last, !last.contains(entry) { covers.removeLast() }
            if entry.isCover {
                covers.append(entry)
                continue
            }
            isEmpty = false
            // The branches to the right of the path to this leaf.
            var next = index + 1
            while next < entries.count, entries[next].isCover { next += 1 }
            while next < entries.count, entries[next].firstDepth > entry.firstDepth {
                branches[Int(entries[next].firstDepth) - 1] = records.record(of: entries[next])
                next = Int(entries[next].nextBranch)
            }
            var node = entry.firstNode
            var (other, coverIndex) = (records.none, 0)
            for depth in entry.firstDepth..<entry.prefixLength {
                while coverIndex < covers.count, covers[coverIndex].prefixLength <= depth {
                    other = records.record(for: covers[coverIndex].target)
                    coverIndex += 1
                }
                node += 1
                let own = depth + 1 == entry.prefixLength ? records.record(for: entry.target) : node
                if entry.address >> (127 - UInt128(depth)) & 1 == 1 {
                    try body(other, own)
                } else {
                    try body(own, branches[Int(depth)] ?? other)
                    branches[Int(depth)] = nil
                }
            }
        }
        if isEmpty {
            let all = covers.last.map { records.record(for: $0.target) } ?? records.none
            try body(all, all)
        }
    }
}

/// The records of a search tree whose nodes have been numbered.
private struct TreeRecords {
    /// The record for addresses without a value.
    let none: UInt32
    private let ipv4: UInt32
    private let firstValue: UInt32

    init(_ tree: SearchTree) {
        none = UInt32(tree.nodeCount)
        firstValue = none + UInt32(DatabaseLayout.separatorBytes)
        let root = TreeEntry(address: 0, prefixLength: 96, target: .ipv4)
        if let first = tree.entries.first(where: { !$0.isCover }), first.prefixLength > 96, root.contains(first) {
            // The first leaf adds the root and all nodes below it, so that their numbers are their depths.
            ipv4 = 96
        } else {
            // The networks that contain all IPv4 addresses have the address 0, so they sort first.
            let containing = tree.entries.prefix { $0.contains(root) }.last
            if case .value(let offset) = containing?.target { ipv4 = firstValue + offset } else { ipv4 = none }
        }
    }

    func record(for target: TreeEntry.Target) -> UInt32 {
        switch target {
        case .value(let offset): firstValue + offset
        case .ipv4: ipv4
        }
    }

    /// Returns the record of the branch whose first leaf this is.
    func record(of leaf: TreeEntry) -> UInt32 {
        leaf.firstDepth == leaf.prefixLength ? record(for: leaf.target) : leaf.firstNode
    }
}
