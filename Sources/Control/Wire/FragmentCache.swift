import JSON
import RecordKeeping

/// A cache of the most recent JSON fragments, keyed by the id of the interned value that each fragment encodes.
///
/// The cache is direct-mapped: each id has one place, and a new fragment replaces the old one there, so the cache never
/// grows.
struct FragmentCache: ~Copyable {
    /// The id of the value at each place; `none` if the place is empty.
    private var ids: [InternID] = []
    private var pieces = FragmentArray(count: 0)

    /// The number of places; a power of two.
    private static var maximum: Int { 1_024 }

    /// Writes the fragment of an interned value.
    ///
    /// - Parameter make: encodes the value if it is not cached. If it returns nil, nothing is written.
    mutating func put(_ id: InternID, to writer: inout JSONWriter, make: () -> [UInt8]?) {
        // Indices are dense, so their low bits spread the values over all places.
        let place = Int(id.index) & (Self.maximum - 1)
        if ids.isEmpty || ids[place] != id {
            guard let piece = make() else { return }
            keep(id, piece, at: place)
        }
        writer.raw(pieces[place])
    }

    private mutating func keep(_ id: InternID, _ piece: [UInt8], at place: Int) {
        if ids.isEmpty {
            ids = Array(repeating: .none, count: Self.maximum)
            pieces = FragmentArray(count: Self.maximum)
        }
        pieces.set(place, piece)
        ids[place] = id
    }
}
