/// All that is told of an entry whose record is fresh, without the parts that such an entry never has. What it has in common with
/// others is only named.
package struct FreshEntry: Sendable {
    package let address: IPAddress
    /// Nil for one that was only looked up.
    package let watch: WatchKind?
    package let label: PartID?
    package let place: PartID
    package let network: PartID
    package let provider: PartID
    /// Degrees; not a number for none, as for `lon`.
    package let lat: Double
    package let lon: Double
    package let reverse: CompactText?
    package let mobile: Bool?
    package let proxy: Bool?
    package let hosting: Bool?
    package let scannedAt: WallTime
    package let expiresAt: WallTime
    package let changedAt: WallTime?

    /// How an entry is watched.
    package struct WatchKind: Hashable, Sendable {
        package let byClient: Bool
        package let isPinned: Bool

        package init(byClient: Bool, isPinned: Bool) {
            self.byClient = byClient
            self.isPinned = isPinned
        }
    }
}

/// Names what entries have in common. No other of the same kind is ever named so, as long as the daemon runs.
package struct PartID: Hashable, Sendable {
    /// Odd, which no reference is.
    package let bits: UInt64

    init(number: UInt32, edition: Int) {
        bits = UInt64(truncatingIfNeeded: edition) << 33 | UInt64(number) << 1 | 1
    }

    var number: UInt32 { UInt32(truncatingIfNeeded: bits >> 1) }
}
