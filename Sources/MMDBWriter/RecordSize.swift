/// The size in bits of a record of the search tree: half of a node, which refers to a node or to a value.
enum RecordSize: Int, CaseIterable {
    case bits24 = 24
    case bits28 = 28
    case bits32 = 32

    /// Returns the smallest size for the largest record.
    init?(for largest: Int) {
        guard let size = Self.allCases.first(where: { largest >> $0.rawValue == 0 }) else { return nil }
        self = size
    }

    var nodeBytes: Int { rawValue / 4 }

    /// Returns the bytes of a node as a number of `nodeBytes` bytes (specification, "Node Layout").
    @inline(__always)
    func node(_ left: UInt32, _ right: UInt32) -> UInt64 {
        let (left, right) = (UInt64(left), UInt64(right))
        return switch self {
        case .bits24: left << 24 | right
        // The middle byte contains the most significant bits of both records.
        case .bits28: (left & 0xFF_FFFF) << 32 | (left >> 24) << 28 | right
        case .bits32: left << 32 | right
        }
    }
}
