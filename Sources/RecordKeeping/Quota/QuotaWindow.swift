/// The window of a quota, as the provider counts it.
enum QuotaWindow: Hashable, Sendable {
    /// No window is open. If a limit is known, the next call opens a presumed window. Otherwise one call is sent at a
    /// time, until its reply reports the quota.
    case closed
    /// The last reply reported no quota, and no limit is known. This state ends with a reply that reports a quota, or
    /// with a refusal.
    case unlimited
    /// An open window whose end no reply has reported. It ends at `end` at the latest, as presumed when its first call
    /// was sent, reserved or lost. `unusedSince` is the time of the reservation that opened the window, if no call has
    /// been sent in it; otherwise nil.
    case presumed(QuotaCount, end: BootTime, unusedSince: BootTime?)
    /// An open window whose end replies have reported.
    case reported(QuotaCount, end: ReportedEnd)

    /// The requests left; nil if no window is open.
    var count: QuotaCount? {
        switch self {
        case .closed, .unlimited: nil
        case .presumed(let count, _, _), .reported(let count, _): count
        }
    }

    /// The latest time at which the window ends; nil if no window is open.
    var latestEnd: BootTime? {
        switch self {
        case .closed, .unlimited: nil
        case .presumed(_, let end, _): end
        case .reported(_, let end): end.latest
        }
    }

    /// Whether a window is open. A window that is over stays open until `Quota.endWindow(at:)` closes it.
    var isOpen: Bool { count != nil }

    /// Whether a window is open in which a call was sent, or may have been sent by the last run.
    var hasBegun: Bool {
        switch self {
        case .closed, .unlimited: false
        case .presumed(_, _, let unusedSince): unusedSince == nil
        case .reported: true
        }
    }

    func isOver(at now: BootTime) -> Bool {
        latestEnd.map { $0 <= now } ?? false
    }

    /// Whether a reservation opened the window, and has expired without a call.
    func isUnused(at now: BootTime) -> Bool {
        guard case .presumed(_, _, let unusedSince?) = self else { return false }
        return now > unusedSince + Quota.maxReservationAge
    }

    /// Updates the number of remaining requests, if a window is open.
    mutating func updateCount(_ update: (inout QuotaCount) -> Void) {
        switch self {
        case .closed, .unlimited: break
        case .presumed(var count, let end, let unusedSince):
            update(&count)
            self = .presumed(count, end: end, unusedSince: unusedSince)
        case .reported(var count, let end):
            update(&count)
            self = .reported(count, end: end)
        }
    }
}
