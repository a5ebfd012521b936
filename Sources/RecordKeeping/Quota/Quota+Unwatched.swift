/// The share of a window for addresses that are not watched.
extension Quota {
    /// Returns how many unwatched addresses may still be sent in this window: a third of its capacity, less those
    /// already sent.
    func unwatchedRoom(at now: BootTime) -> Int {
        if isOver(at: now) { return ended(at: now).unwatchedRoom(at: now) }
        guard !isUnlimited, let limit else { return .max }
        return max(0, limit * addressesPerCall / Limits.unwatchedShare - unwatched)
    }

    /// Returns the cost of one call in that share, in addresses. A call without watched addresses costs its full
    /// capacity.
    func unwatchedCost(unwatched: Int, watched: Int) -> Int {
        unwatched > 0 && watched == 0 ? addressesPerCall : unwatched
    }
}
