import JSON
import RecordKeeping

/// A cache of the most recent JSON fragments, keyed by the id of the interned value that each fragment encodes.
///
/// The cache is direct-mapped: each id has one slot, and a new fragment replaces the old one there, so the cache never
/// grows.
struct FragmentCache: ~Copyable {
    /// The id of the value at each slot; `none` if the slot is empty.
    private var ids: [InternID] = []
    private var pieces = FragmentArray(count: 0)

    /// The number of slots; a power of two.
    private static var maximum: Int { 1_024 }

    /// Writes the fragment of an interned value.
    ///
    /// - Parameter make: encodes the value if it is not cached. If it returns nil, nothing is written.
    mutating func put(_ id: InternID, to writer: inout JSONWriter, make: () -> [UInt8]?) {
        // Indices are dense, so their low bits distribute the values evenly among all slots.
        let slot = Int(id.index) & (Self.maximum - 1)
        if ids.isEmpty || ids[slot] != id {
            guard let piece = make() else { return }
            keep(id, piece, at: slot)
        }
        writer.raw(pieces[slot])
    }

    private mutating func keep(_ id: InternID, _ piece: [UInt8], at slot: Int) {
        if ids.isEmpty {
            ids = Array(repeating: .none, count: Self.maximum)
            pieces = FragmentArray(count: Self.maximum)
        }
        pieces.set(slot, piece)
        ids[slot] = id
    }
}
