/// The share of a window that addresses may have which nobody watches.
extension Quota {
    /// How many addresses that nobody watches may still go in this window: a third of it, less what went.
    func unwatchedRoom(at now: BootTime) -> Int {
        if isOver(at: now) { return ended(at: now).unwatchedRoom(at: now) }
        guard !isUnlimited, let limit else { return .max }
        return max(0, limit * addressesPerCall / Limits.unwatchedShare - unwatched)
    }

    /// What one call costs of the unwatched third.
    func unwatchedCost(unwatched: Int, watched: Int) -> Int {
        unwatched > 0 && watched == 0 ? addressesPerCall : unwatched
    }
}
