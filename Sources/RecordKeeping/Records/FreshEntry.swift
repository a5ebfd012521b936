/// All that is told of an entry whose record is fresh, without the parts that such an entry never has.
package struct FreshEntry: Sendable {
    package let address: IPAddress
    /// Nil for one that was only looked up.
    package let watch: WatchKind?
    package let label: Shared<WatchLabel>?
    package let place: Shared<Place>
    package let network: Shared<Network>
    /// Degrees; not a number for none, as for `lon`.
    package let lat: Double
    package let lon: Double
    package let reverse: CompactText?
    package let mobile: Bool?
    package let proxy: Bool?
    package let hosting: Bool?
    package let provider: String
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
