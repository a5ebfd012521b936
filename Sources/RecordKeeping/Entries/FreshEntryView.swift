/// The contents of an entry with a fresh record, as the fast path returns them. Values that entries share are
/// represented by their intern ids.
package struct FreshEntryView: Sendable {
    package let address: IPAddress
    /// How the address is watched; nil if it was only looked up.
    package let watch: WatchKind?
    /// The tags and the note; nil if the entry has neither.
    package let label: InternID?
    package let place: InternID
    package let network: InternID
    package let provider: InternID
    /// The latitude in degrees; NaN if unknown, as for `lon`.
    package let lat: Double
    package let lon: Double
    package let reverse: CompactText?
    package let mobile: Bool?
    package let proxy: Bool?
    package let hosting: Bool?
    package let scannedAt: WallTime
    package let expiresAt: WallTime
    package let changedAt: WallTime?

    /// The properties of a watched address, without its labels.
    package struct WatchKind: Hashable, Sendable {
        package let byClient: Bool
        package let isPinned: Bool

        package init(byClient: Bool, isPinned: Bool) {
            self.byClient = byClient
            self.isPinned = isPinned
        }
    }
}

/// Identifies an interned value. Among values of the same kind, an id is not reused for a different value while the
/// process runs.
package struct InternID: Hashable, Sendable {
    /// The bits of the id, which are always odd and therefore differ from every `Interned.identity`, which is the
    /// address of an object.
    package let bits: UInt64

    /// - Parameter generation: the interner's generation.
    init(number: UInt32, generation: Int) {
        bits = UInt64(truncatingIfNeeded: generation) << 33 | UInt64(number) << 1 | 1
    }

    var number: UInt32 { UInt32(truncatingIfNeeded: bits >> 1) }
}
