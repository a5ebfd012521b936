import JSON
import RecordKeeping

/// A cache of the most recent JSON fragments, keyed by the identity of the interned value that each fragment encodes.
///
/// The cache is direct-mapped: each identity has one place, and a new fragment replaces the old one there, so the cache
/// never grows.
struct FragmentCache<Value: Hashable & Sendable>: ~Copyable {
    /// The identity of the value at each place; 0 if the place is empty.
    private var identities: [UInt64] = []
    private var pieces = FragmentArray(count: 0)
    /// The cached values. While a value is retained, no other value can get its identity.
    private var copies: [Interned<Value>?] = []

    /// The number of places; a power of two.
    private static var maximum: Int { 1_024 }

    /// Writes the fragment of a value; calls `make` to encode it if it is not cached.
    mutating func put(_ value: Interned<Value>, to writer: inout JSONWriter, make: (Value) -> [UInt8]) {
        // The low four bits of an identity are zero, because objects are aligned to 16 bytes (malloc(3)).
        let (identity, place) = (UInt64(value.identity), Int(value.identity >> 4) & (Self.maximum - 1))
        if !isKnown(identity, at: place) { keep(identity, make(value.value), copy: value, at: place) }
        writer.raw(pieces[place])
    }

    /// Writes the fragment of an interned value.
    ///
    /// - Parameter make: encodes the value if it is not cached. If it returns nil, because the id is unknown, nothing
    ///   is written.
    mutating func put(_ id: InternID, to writer: inout JSONWriter, make: (InternID) -> [UInt8]?) {
        let place = Int(id.bits >> 1) & (Self.maximum - 1)
        if !isKnown(id.bits, at: place) {
            guard let piece = make(id) else { return }
            keep(id.bits, piece, copy: nil, at: place)
        }
        writer.raw(pieces[place])
    }

    private func isKnown(_ identity: UInt64, at place: Int) -> Bool {
        !identities.isEmpty && identities[place] == identity
    }

    private mutating func keep(_ identity: UInt64, _ piece: [UInt8], copy: Interned<Value>?, at place: Int) {
        if identities.isEmpty {
            identities = Array(repeating: 0, count: Self.maximum)
            pieces = FragmentArray(count: Self.maximum)
            copies = Array(repeating: nil, count: Self.maximum)
        }
        pieces.set(place, piece)
        (identities[place], copies[place]) = (identity, copy)
    }
}
