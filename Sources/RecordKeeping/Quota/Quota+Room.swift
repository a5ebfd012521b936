/// The number of calls that a quota allows at a given time; if the window is over by then, those of the next window.
extension Quota {
    /// Whether the limit does not hold: a call was refused, perhaps in the last run, and no later window has shown that
    /// the limit holds again.
    var isDistrusted: Bool { reducedLimit != nil }

    /// Whether a call needs a reservation on disk. Unless there is no limit, the calls in flight when the daemon exits
    /// must be on disk, even if no window is known yet.
    var needsReservation: Bool { window != .unlimited }

    /// Number of requests that a window is presumed to allow until a reply reports the number; nil if unknown.
    var presumedLimit: Int? {
        limit.map { min($0, documented ?? $0, reducedLimit?.calls ?? $0) }
    }

    /// Returns how many reserved calls may be sent now. Later replies may have reported that fewer are left.
    func reserved(at now: BootTime) -> Int {
        let (window, reservations) = current(at: now)
        let reserved = reservations.reserved
        return min(reserved, max(0, (window.count?.remaining ?? reserved) - inFlight))
    }

    /// Returns how many more calls may be sent or reserved now.
    func room(at now: BootTime) -> Int {
        let (window, reservations) = current(at: now)
        let maximum = isDistrusted ? 1 : Limits.callsInFlight
        let allowed =
            switch window {
            case .unlimited: maximum
            case .closed: min(presumedLimit ?? 1, maximum)
            case .presumed(let count, _, _), .reported(let count, _): min(count.remaining, maximum)
            }
        return max(0, allowed - outstanding(reservations))
    }

    /// Returns whether the window is used up, counting calls in flight and reserved, so that no more calls may be sent
    /// before it ends.
    func isExhausted(at now: BootTime) -> Bool {
        let (window, reservations) = current(at: now)
        return window.count.map { $0.remaining <= outstanding(reservations) } ?? false
    }

    /// Returns how many calls may still be sent in the window, including reserved ones, or in the next window if none
    /// is open. Nil if there is no limit or none is known.
    func left(at now: BootTime) -> Int? {
        (current(at: now).window.count?.remaining ?? presumedLimit).map { max(0, $0 - inFlight) }
    }

    /// The time from which no share is kept for addresses that may become due, so that the whole window is used; nil if
    /// no window is open.
    var releaseTime: BootTime? {
        let end: BootTime? =
            switch window {
            case .closed, .unlimited: nil
            case .presumed(_, let end, _): end + (.zero - Self.maxTravelTime - Self.roundingOfTtl)
            case .reported(_, let end): end.earliest
            }
        return end.map { $0 + (.zero - Limits.release) }
    }

    /// Returns the number of calls that count as spent, although no reply has confirmed that.
    func outstanding(_ reservations: QuotaReservations) -> Int { inFlight + reservations.count }

    /// Returns the window and the reservations that follow when the open window ends at this time. Calls that were lost
    /// late may have begun the provider's next window.
    func successor(at now: BootTime) -> (window: QuotaWindow, reservations: QuotaReservations) {
        var reservations = reservations
        reservations.windowEnded(isUnused: window.isUnused(at: now))
        let end = lostAt + windowLength + Self.roundingOfTtl
        guard let lost = window.count?.lostLate, lost > 0, let presumedLimit, now < end else {
            return (.closed, reservations)
        }
        let count = QuotaCount(left: max(0, presumedLimit - lost), hasLostCalls: true)
        return (.presumed(count, end: end, unusedSince: nil), reservations)
    }

    /// Returns whether a window that begins at this time may contain calls that were lost in the last window.
    func mayContainLosses(at start: BootTime) -> Bool {
        hadLateLosses && start < lostAt + windowLength + Self.roundingOfTtl
    }

    private func current(at now: BootTime) -> (window: QuotaWindow, reservations: QuotaReservations) {
        window.isOver(at: now) ? successor(at: now) : (window, reservations)
    }
}
