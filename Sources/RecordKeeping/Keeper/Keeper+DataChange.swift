/// Changes to the local databases.
///
/// From the event on, no record of the previous version is presented as current. The entries then become due in
/// portions, because there may be millions of them.
extension Keeper {
    /// Handles a new version of the local databases; ignored if the provider is remote.
    mutating func providerDataChanged(_ version: DataVersion?) {
        guard case .version(let old) = validity, old != version else { return }
        validity = .version(version)
        nextSlotOfDataChange = 0
        // Earlier failures may have been caused by the previous version.
        provider.retryNow()
    }

    /// Makes the next entries due whose records or failures come from an earlier version, in half of the turn. The
    /// other half is left for commits.
    mutating func goOnWithDataChange(at now: Instant) {
        guard let next = nextSlotOfDataChange else { return }
        let end = min(next + max(1, changesPerTurn / 2), slots.bound)
        for index in next..<max(next, end) where slots.isInUse(index) { renew(index, at: now) }
        changesLeft -= end - next
        nextSlotOfDataChange = end < slots.bound ? end : nil
    }

    /// Ends the backoff of a resting entry, and makes the entry due unless its record is current. Entries in calls are
    /// checked when their calls have ended. An entry that is due already stays due, even if its record has become
    /// current: the call costs nothing, and its reply answers the clients that wait.
    mutating func renew(_ index: Int, at now: Instant) {
        guard slots.activity(of: index) == .resting, !slots.peek(index).isSpecialPurpose else { return }
        if slots.retryAt(of: index) != nil { change(index, at: now) { $0.retryAt = nil } }
        place(index, at: now)
    }
}
