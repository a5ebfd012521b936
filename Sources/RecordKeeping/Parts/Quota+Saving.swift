/// What of a quota outlives a restart.
extension Quota {
    mutating func restore(_ saved: SavedWindow, at now: BootTime) {
        limit = saved.limit ?? documented
        windowLength = min(max(saved.length, Settings.documentedWindow), Self.longestWindow)
        // Whoever is killed: what the kernel has of a request is sent. Where the machine was started anew, it went with that.
        let arrivedBy = now + Self.longestTravel
        let length = documented == nil ? windowLength : Settings.documentedWindow
        let longest = Self.longestTravel + length + Self.roundingOfTtl
        if let end = saved.resetsAt?.boot, let left = saved.remaining {
            // What the wall clock says after a reboot may be wrong by hours either way: only the time since then is sure to
            // have passed, and no window that was open before lasts longer than a whole one.
            let surelyOver = saved.isOfEarlierBoot ? BootTime(nanoseconds: 0) + longest : min(end, now + longest)
            if now < surelyOver {
                let mayOutlast = saved.margin.map { surelyOver <= arrivedBy + $0 } ?? true
                (lostLate, lostAt) = (mayOutlast ? saved.underWay : 0, arrivedBy)
                resume(counting: left, until: surelyOver)
                return
            }
        }
        guard saved.underWay > 0 else { return }
        if let limit {
            // A window may have begun with what was under way: nothing has told of that.
            let arrivedBy = saved.isOfEarlierBoot ? BootTime(nanoseconds: 0) : arrivedBy
            let end = arrivedBy + length + Self.roundingOfTtl
            if now < end { resume(counting: max(0, limit - saved.underWay), until: end) }
        } else if !saved.isOfEarlierBoot {
            for _ in 0..<saved.underWay { mayHaveLost(arrivingBy: arrivedBy, at: now) }
        }
    }

    /// The first reply will tell the end; and what was under way when the daemon ended may still arrive.
    private mutating func resume(counting left: Int, until end: BootTime) {
        count(from: left)
        resetsAt = end
        (endIsPresumed, hasLostCalls) = (true, true)
    }

    func saved(by provider: String, at now: Instant) -> SavedWindow {
        SavedWindow(
            provider: provider, endpoint: endpoint, limit: limit, remaining: left,
            underWay: outstanding + lostLate + untoldLosses.count(arrivingAfter: now.boot),
            resetsAt: resetsAt.map { now.advanced(by: $0 - now.boot) }, length: windowLength,
            margin: margin)
    }

    /// Rounded up to what is kept.
    private var margin: Duration? {
        guard !endIsPresumed, let resetsAt, let earliestEnd else { return nil }
        return .milliseconds((resetsAt - earliestEnd).wholeMilliseconds + 1)
    }

    /// What may still be sent in the open window, with what is under way counted as spent; nil where none is open.
    var left: Int? { remaining.map { max(0, $0 - outstanding) } }
}
