/// What of a quota outlives a restart.
extension Quota {
    mutating func restore(_ saved: SavedWindow, at now: BootTime) {
        limit = saved.limit ?? documented
        windowLength = min(max(saved.length, Settings.documentedWindow), Self.longestWindow)
        guard let end = saved.resetsAt?.boot, let left = saved.remaining else { return }
        let length = documented == nil ? windowLength : Settings.documentedWindow
        let longest = Self.longestTravel + length + Self.roundingOfTtl
        // What the wall clock says after a reboot may be wrong by hours either way: only the time since then is sure to have
        // passed, and no window that was open before lasts longer than a whole one.
        let surelyOver = saved.isOfEarlierBoot ? BootTime(nanoseconds: 0) + longest : min(end, now + longest)
        guard now < surelyOver else { return }
        count(from: left)
        resetsAt = surelyOver
        // The first reply will tell the end; and what was under way when the daemon ended may still arrive.
        endIsPresumed = true
        hasLostCalls = true
    }

    func saved(by provider: String, at now: Instant) -> SavedWindow {
        SavedWindow(
            provider: provider, endpoint: endpoint, limit: limit, remaining: left,
            resetsAt: savedEnd(at: now.boot).map { now.advanced(by: $0 - now.boot) }, length: windowLength)
    }

    /// What is under way near the end of a window may begin the next, and nothing tells of it once the daemon was killed.
    private func savedEnd(at now: BootTime) -> BootTime? {
        guard let resetsAt, outstanding > 0 else { return resetsAt }
        let latest = now + Self.longestCommit + Self.longestTravel
        let mayOutlast = endIsPresumed || earliestEnd.map { $0 <= latest } ?? true
        return mayOutlast ? max(resetsAt, latest + windowLength + Self.roundingOfTtl) : resetsAt
    }

    /// What may still be sent in the open window, with what is under way counted as spent; nil where none is open.
    var left: Int? { remaining.map { max(0, $0 - outstanding) } }
}
