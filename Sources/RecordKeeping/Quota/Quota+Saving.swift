/// The quota as it is saved for the next run, and the windows that a saved quota may have left open.
extension Quota {
    func saved(by provider: String, at now: Instant) -> SavedWindow {
        let lost = (window.count?.lostLate ?? 0) + unreportedLosses.count(arrivingAfter: now.boot)
        // After a refusal, the next run does not trust the limit either, and presumes that one call is allowed.
        return SavedWindow(
            provider: provider, endpoint: endpoint, limit: isDistrusted ? limit.map { _ in 1 } : limit, remaining: left,
            outstanding: outstanding(reservations) + lost,
            resetsAt: window.latestEnd.map { now.advanced(by: $0 - now.boot) }, length: windowLength, margin: margin)
    }

    /// Requests that may still be sent in the open window, if those in flight and reserved count as spent; nil if no
    /// window is open.
    var left: Int? { window.count.map { max(0, $0.remaining - outstanding(reservations)) } }

    /// The width of the range of times at which the window may end, rounded up to whole milliseconds; nil if no reply
    /// has reported the end.
    private var margin: Duration? {
        guard case .reported(_, let end) = window else { return nil }
        return .milliseconds((end.latest - end.earliest).wholeMilliseconds + 1)
    }

    /// Returns the saved window with a presumed end, which the first reply corrects; nil if it must have ended. Calls
    /// that were in flight when the daemon exited may still arrive.
    func openWindow(of saved: SavedWindow, arrivingBy arrival: BootTime, at now: BootTime) -> QuotaWindow? {
        guard let end = saved.resetsAt?.boot, let left = saved.remaining else { return nil }
        let maximum = Self.maxTravelTime + restoredLength + Self.roundingOfTtl
        // After a reboot, the wall clock may be wrong by hours in either direction. Only the time since the boot is
        // known to have elapsed, and a window that was open before the boot cannot last longer than a full window.
        let surelyOver = saved.isOfEarlierBoot ? BootTime(nanoseconds: 0) + maximum : min(end, now + maximum)
        guard now < surelyOver else { return nil }
        let mayOutlast = saved.margin.map { surelyOver <= arrival + $0 } ?? true
        let count = QuotaCount(left: left, hasLostCalls: true, lostLate: mayOutlast ? saved.outstanding : 0)
        return .presumed(count, end: surelyOver, unusedSince: nil)
    }

    /// Returns the window that calls in flight at the exit of the daemon may have begun, and that no reply has
    /// reported; nil if there is no such window, or if it must have ended.
    func windowBegun(byCallsOf saved: SavedWindow, arrivingBy arrival: BootTime, at now: BootTime) -> QuotaWindow? {
        guard let presumedLimit, saved.outstanding > 0 else { return nil }
        // After a reboot, no requests are left in the kernel's buffers.
        let arrival = saved.isOfEarlierBoot ? BootTime(nanoseconds: 0) : arrival
        let end = arrival + restoredLength + Self.roundingOfTtl
        guard now < end else { return nil }
        let count = QuotaCount(left: max(0, presumedLimit - saved.outstanding), hasLostCalls: true)
        return .presumed(count, end: end, unusedSince: nil)
    }

    /// The length of a window that was open when the daemon exited.
    private var restoredLength: Duration { documented == nil ? windowLength : Settings.documentedWindow }
}
