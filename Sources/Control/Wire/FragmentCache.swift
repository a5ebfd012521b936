import JSON
import RecordKeeping

/// A cache of the most recent JSON fragments, keyed by the id of the interned value that each fragment encodes.
///
/// The cache is direct-mapped: each id has one slot. If two values need the same slot, the number of slots is doubled,
/// up to a limit. At the limit, the new fragment replaces the old one. A full cache takes at most 16 MiB, because long
/// fragments are not cached.
struct FragmentCache: ~Copyable {
    /// The id of the value at each slot; `none` if the slot is empty.
    private var ids: [InternID] = []
    private var pieces = FragmentArray(count: 0)

    /// The first number of slots, and the maximum; powers of two. A million addresses have some ten thousand places.
    private static let (minimum, maximum) = (256, 16_384)
    /// The maximum length of a cached fragment, in bytes.
    private static let maxBytes = 1_024

    /// Writes the fragment of an interned value.
    ///
    /// - Parameter make: encodes the value if it is not cached. If it returns nil, nothing is written.
    mutating func put(_ id: InternID, to writer: inout JSONWriter, make: () -> [UInt8]?) {
        if ids.isEmpty || ids[slot(of: id)] != id {
            guard let piece = make() else { return }
            guard piece.count <= Self.maxBytes else { return writer.raw(piece) }
            keep(id, piece)
        }
        writer.raw(pieces[slot(of: id)])
    }

    /// Indices are dense, so their low bits distribute the values evenly among all slots.
    private func slot(of id: InternID) -> Int { Int(id.index) & (ids.count - 1) }

    private mutating func keep(_ id: InternID, _ piece: [UInt8]) {
        if ids.isEmpty { resize(to: Self.minimum) }
        // An id with this index and another generation is never used again, so its fragment is replaced.
        let other = ids[slot(of: id)]
        if other != .none, other.index != id.index, ids.count < Self.maximum { resize(to: 2 * ids.count) }
        pieces.set(slot(of: id), piece)
        ids[slot(of: id)] = id
    }

    /// Changes the number of slots, all of which are then empty. Fragments are encoded again at their next use. This is
    /// simpler than moving them, and happens at most six times.
    private mutating func resize(to count: Int) {
        ids = Array(repeating: .none, count: count)
        pieces = FragmentArray(count: count)
    }
}
