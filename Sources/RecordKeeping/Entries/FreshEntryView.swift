/// The contents of an entry with a fresh record, as the fast path returns them. Values that entries share are
/// represented by their intern ids.
package struct FreshEntryView: Sendable {
    package let address: IPAddress
    /// How the address is watched; nil if it was only looked up.
    package let watch: WatchKind?
    package let ids: InternedIDs
    /// The latitude in degrees; NaN if unknown, as for `lon`.
    package let lat: Double
    package let lon: Double
    package let texts: OwnTexts
    package let mobile: Bool?
    package let proxy: Bool?
    package let hosting: Bool?
    package let scannedAt: WallTime
    /// The time at which the record expires; nil if it is current until the local databases change.
    package let expiresAt: WallTime?
    package let changedAt: WallTime?
    /// The time at which the address leaves the watch list by itself; nil if it does not.
    package let watchedUntil: WallTime?

    /// The properties of a watched address, without its labels.
    package struct WatchKind: Hashable, Sendable {
        package let origin: WatchOrigin
        package let isPinned: Bool

        package init(origin: WatchOrigin, isPinned: Bool) {
            self.origin = origin
            self.isPinned = isPinned
        }
    }
}
