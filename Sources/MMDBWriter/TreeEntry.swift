/// A network of the search tree, with its place in the tree.
struct TreeEntry {
    enum Target {
        /// The value at an offset of the data section.
        case value(UInt32)
        /// The part of the tree for IPv4 addresses.
        case ipv4
    }

    let address: UInt128
    /// The place of the next leaf that branches off at a smaller depth: its index in the sorted entries.
    var nextBranch: UInt32 = 0
    /// The number of the first node on the path to this leaf that is not on the path to the leaf before it.
    var firstNode: UInt32 = 0
    let target: Target
    let prefixLength: UInt8
    /// The depth of the node `firstNode`. If there is none, equal to the prefix length.
    var firstDepth: UInt8 = 0
    /// Whether the next network is inside of this one, or the same one again. The value of a cover is that of the
    /// addresses which are in none of the networks inside.
    var isCover = false

    init(address: UInt128, prefixLength: UInt8, target: Target) {
        self.address = address
        self.prefixLength = prefixLength
        self.target = target
    }

    /// Sorts each network before those that it contains.
    static func precedes(_ left: TreeEntry, _ right: TreeEntry) -> Bool {
        (left.address, left.prefixLength) < (right.address, right.prefixLength)
    }

    func contains(_ other: TreeEntry) -> Bool {
        prefixLength <= other.prefixLength && commonBits(with: other) >= prefixLength
    }

    /// Number of leading bits in which the addresses agree.
    func commonBits(with other: TreeEntry) -> UInt8 {
        UInt8((address ^ other.address).leadingZeroBitCount)
    }
}
