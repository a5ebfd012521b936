import RecordKeeping
import Varlink

/// The most recent fragments of JSON text, by the identity of the interned value that each encodes.
///
/// The cache is direct-mapped: each identity has one place, and a new fragment replaces the old one there, so the cache
/// never grows.
struct Fragments<Value: Hashable & Sendable>: ~Copyable {
    /// Which one stands at each place; 0 for none.
    private var identities: [UInt64] = []
    private var pieces = Pieces(count: 0)
    /// For as long as a copy is here, no other has its identity.
    private var copies: [Shared<Value>?] = []

    private static var most: Int { 1_024 }

    mutating func put(_ value: Shared<Value>, to writer: inout JSONWriter, make: (Value) -> [UInt8]) {
        // Objects begin at multiples of 16 (malloc(3)).
        let (identity, place) = (UInt64(value.identity), Int(value.identity >> 4) & (Self.most - 1))
        if !isKnown(identity, at: place) { keep(identity, make(value.value), copy: value, at: place) }
        writer.raw(pieces[place])
    }

    /// - Parameter make: returns nil for what is not there.
    mutating func put(_ id: PartID, to writer: inout JSONWriter, make: (PartID) -> [UInt8]?) {
        let place = Int(id.bits >> 1) & (Self.most - 1)
        if !isKnown(id.bits, at: place) {
            guard let piece = make(id) else { return }
            keep(id.bits, piece, copy: nil, at: place)
        }
        writer.raw(pieces[place])
    }

    private func isKnown(_ identity: UInt64, at place: Int) -> Bool {
        !identities.isEmpty && identities[place] == identity
    }

    private mutating func keep(_ identity: UInt64, _ piece: [UInt8], copy: Shared<Value>?, at place: Int) {
        if identities.isEmpty {
            identities = Array(repeating: 0, count: Self.most)
            pieces = Pieces(count: Self.most)
            copies = Array(repeating: nil, count: Self.most)
        }
        pieces.set(place, piece)
        (identities[place], copies[place]) = (identity, copy)
    }
}
