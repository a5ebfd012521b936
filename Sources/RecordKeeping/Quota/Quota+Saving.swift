/// Saves and restores a quota, so that it survives a restart.
extension Quota {
    mutating func restore(_ saved: SavedWindow, at now: BootTime) {
        limit = saved.limit ?? documented
        windowLength = min(max(saved.length, Settings.documentedWindow), Self.maxWindow)
        // After the process is killed, the kernel still sends the requests in its buffers. After a reboot, none are
        // left.
        let arrivedBy = now + Self.maxTravelTime
        let length = documented == nil ? windowLength : Settings.documentedWindow
        let maximum = Self.maxTravelTime + length + Self.roundingOfTtl
        if let end = saved.resetsAt?.boot, let left = saved.remaining {
            // After a reboot, the wall clock may be wrong by hours in either direction. Only the time since the boot
            // has certainly passed, and a window that was open before the boot lasts no longer than a full window.
            let surelyOver = saved.isOfEarlierBoot ? BootTime(nanoseconds: 0) + maximum : min(end, now + maximum)
            if now < surelyOver {
                let mayOutlast = saved.margin.map { surelyOver <= arrivedBy + $0 } ?? true
                (lostLate, lostAt) = (mayOutlast ? saved.underWay : 0, arrivedBy)
                resume(counting: left, until: surelyOver)
                return
            }
        }
        guard saved.underWay > 0 else { return }
        if let limit {
            // A call in flight may have begun a window that no reply has reported.
            let arrivedBy = saved.isOfEarlierBoot ? BootTime(nanoseconds: 0) : arrivedBy
            let end = arrivedBy + length + Self.roundingOfTtl
            if now < end { resume(counting: max(0, limit - saved.underWay), until: end) }
        } else if !saved.isOfEarlierBoot {
            for _ in 0..<saved.underWay { mayHaveLost(arrivingBy: arrivedBy, at: now) }
        }
    }

    /// Opens the saved window with a presumed end, which the first reply corrects. Calls that were in flight when the
    /// daemon exited may still arrive.
    private mutating func resume(counting left: Int, until end: BootTime) {
        count(from: left)
        resetsAt = end
        (endIsPresumed, hasLostCalls) = (true, true)
    }

    func saved(by provider: String, at now: Instant) -> SavedWindow {
        SavedWindow(
            provider: provider, endpoint: endpoint, limit: limit, remaining: left,
            underWay: outstanding + lostLate + unreportedLosses.count(arrivingAfter: now.boot),
            resetsAt: resetsAt.map { now.advanced(by: $0 - now.boot) }, length: windowLength,
            margin: margin)
    }

    /// Width of the range in which the window ends, rounded up to whole milliseconds; nil if no reply has reported the
    /// end.
    private var margin: Duration? {
        guard !endIsPresumed, let resetsAt, let earliestEnd else { return nil }
        return .milliseconds((resetsAt - earliestEnd).wholeMilliseconds + 1)
    }

    /// Requests that may still be sent in the open window, if those in flight and reserved count as spent; nil if no
    /// window is open.
    var left: Int? { remaining.map { max(0, $0 - outstanding) } }
}
