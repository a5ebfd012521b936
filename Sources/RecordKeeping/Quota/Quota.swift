/// The quota of one endpoint, as the provider counts it.
///
/// There are four cases:
/// - an open window: `remaining` requests until `resetsAt`, according to the last reply or the documented limit;
/// - no open window, and a limit known from an earlier one: the next call opens a presumed window;
/// - no known limit: one call at a time, until its reply reports the quota;
/// - unlimited: a reply reported no quota, and none is documented.
///
/// Calls in flight count as spent, although the provider may have counted them already. The estimate may be too low,
/// and each reply corrects it. A window must survive a crash, so calls are reserved on disk first: unless there is no
/// limit, a call is sent only against a committed reservation.
struct Quota: Hashable, Sendable {
    let endpoint: Call.Endpoint
    /// Requests per window that the provider documents; nil if it documents none.
    let documented: Int?

    /// The largest number of requests that a window was seen to allow; at first the documented number.
    var limit: Int?
    /// Requests left in the window by the daemon's own count, in which every returned or lost call is spent; nil if no
    /// window is open.
    var counted: Int?
    /// The smallest number of requests left that a reply of this window reported; other clients may share the quota.
    /// Replies may arrive out of order, and no reply includes the calls that arrived after its own call, so both counts
    /// are needed.
    var reported: Int?
    /// The latest time at which the window ends; nil if no window is open.
    var resetsAt: BootTime?
    /// Whether the end was presumed when the first call was sent, and no reply has reported it yet.
    var endIsPresumed = false
    /// When the presumed window was opened. A call that was sent earlier may belong to the previous window.
    var presumedAt: BootTime?
    /// The end of the last window that replies reported.
    var previousEnd: ReportedEnd?
    /// When a reservation opened the window, if no call has been sent in it; otherwise nil.
    var unusedSince: BootTime?
    /// The earliest time at which the window ends. The reply that reported the end may have travelled for seconds.
    var earliestEnd: BootTime?
    /// Number of calls that were lost so late in this window that the provider may have counted them in the next.
    var lostLate = 0
    /// Whether calls of this window were lost. Earlier replies do not include them.
    var hasLostCalls = false
    /// The latest time at which the last lost call of this window may have arrived.
    var lostAt = BootTime(nanoseconds: 0)
    var unreportedLosses = UnreportedLosses()
    var isUnlimited = false
    /// Whether the last reply with information on the quota was a refusal (429). If so, calls are sent one at a time,
    /// regardless of the documented limit.
    var isDistrusted = false

    var inFlight = 0
    /// Calls to reserve with the next commit.
    private(set) var wanted = 0
    /// Calls that the commit in progress reserves.
    private(set) var reserving = 0
    /// Calls that are reserved on disk and not sent yet.
    private var reserved = 0
    /// Cost of the unwatched addresses sent in this window, in addresses.
    private(set) var unwatched = 0
    /// Length of a window, as far as known: `Settings.documentedWindow`, or longer if a reply reported a longer window.
    var windowLength: Duration
    /// The longest `X-Ttl` that was reported since the process started. No window is shorter.
    var maxReported = Duration.zero

    init(endpoint: Call.Endpoint, documented: Int?) {
        self.endpoint = endpoint
        self.documented = documented
        limit = documented
        windowLength = Settings.documentedWindow
    }

    /// Requests left in the open window; nil if no window is open.
    var remaining: Int? { counted.map { min($0, reported ?? $0) } }

    /// Maximum number of addresses in one call to this endpoint.
    var addressesPerCall: Int { endpoint == .batch ? Limits.addressesPerBatch : 1 }

    /// Whether a call needs a reservation on disk. Unless there is no limit, the calls in flight when the daemon exits
    /// must be on disk, even if no window is known yet.
    var needsReservation: Bool { !isUnlimited }

    /// Returns how many reserved calls may be sent now: no more than later replies have reported as left.
    func reserved(at now: BootTime) -> Int {
        isOver(at: now) ? 0 : min(reserved, max(0, (remaining ?? reserved) - inFlight))
    }

    /// Returns how many more calls may be sent or reserved now.
    func room(at now: BootTime) -> Int {
        if isOver(at: now) { return ended(at: now).room(at: now) }
        let maximum = isDistrusted ? 1 : Limits.callsInFlight
        if isUnlimited { return max(0, maximum - outstanding) }
        guard let left = remaining ?? presumedLimit else { return max(0, 1 - outstanding) }
        return max(0, min(left, maximum) - outstanding)
    }

    /// Returns whether the window is used up, counting calls in flight and reserved, so that no more calls may be sent
    /// before `resetsAt`.
    func isExhausted(at now: BootTime) -> Bool {
        if isOver(at: now) { return ended(at: now).isExhausted(at: now) }
        guard let remaining, let resetsAt, now < resetsAt else { return false }
        return remaining <= outstanding
    }

    /// Returns how many calls may still be sent in the window, including reserved ones, or in the next window if this
    /// one has ended. Nil if there is no limit or none is known.
    func left(at now: BootTime) -> Int? {
        if isOver(at: now) { return ended(at: now).left(at: now) }
        guard !isUnlimited, let allowed = remaining ?? presumedLimit else { return nil }
        return max(0, allowed - inFlight)
    }

    /// Calls that count as spent, although no reply has confirmed it.
    var outstanding: Int { inFlight + wanted + reserving + reserved }

    /// Requests a reservation of `count` more calls with the next commit. If no window is open, this opens one.
    mutating func reserve(_ count: Int, at now: BootTime) {
        endWindow(at: now)
        wanted += count
        guard remaining == nil else { return }
        // The provider's window begins when the call arrives, so its latest possible end is saved.
        openPresumedWindow(at: now + Self.maxReservationAge)
        if remaining != nil { (unusedSince, presumedAt) = (now, now) }
    }

    /// Records that the commit in preparation contains the requested reservations.
    mutating func reservationBegan() {
        reserving += wanted
        wanted = 0
    }

    mutating func reservationCommitted() {
        reserved += reserving
        reserving = 0
    }

    mutating func reservationFailed() {
        reserving = 0
    }

    /// Records that a call is sent.
    ///
    /// - Parameters:
    ///   - unwatched: the number of its addresses that are not watched.
    ///   - watched: the number of its addresses that are watched.
    mutating func sent(at now: BootTime, unwatched: Int, watched: Int) {
        endWindow(at: now)
        inFlight += 1
        reserved = max(0, reserved - 1)
        self.unwatched += unwatchedCost(unwatched: unwatched, watched: watched)
        if unusedSince != nil, let counted {
            // The window begins with this call, and not with the reservation.
            unusedSince = nil
            openPresumedWindow(at: now, counting: counted)
        } else {
            openPresumedWindow(at: now)
        }
    }

    // MARK: Windows

    func isOver(at now: BootTime) -> Bool {
        resetsAt.map { $0 <= now } ?? false
    }

    /// Returns the quota after `endWindow(at:)`.
    func ended(at now: BootTime) -> Quota {
        var quota = self
        quota.endWindow(at: now)
        return quota
    }

    /// Closes the window if it is over. The next one may have begun already, with a lost call.
    mutating func endWindow(at now: BootTime) {
        if let unusedSince, now > unusedSince + Self.maxReservationAge {
            self.unusedSince = nil
            (wanted, reserving) = (0, 0)
            resetsAt = now
        }
        guard isOver(at: now) else { return }
        if !endIsPresumed, let earliestEnd, let resetsAt {
            previousEnd = ReportedEnd(earliest: earliestEnd, latest: resetsAt)
        }
        self.resetsAt = nil
        count(from: nil)
        (endIsPresumed, earliestEnd) = (false, nil)
        // The reservations belong to the window that has ended.
        reserved = 0
        unwatched = 0
        let lost = lostLate
        (lostLate, hasLostCalls) = (0, lost > 0)
        guard lost > 0 else { return }
        guard let presumedLimit else {
            for _ in 0..<lost { mayHaveLost(arrivingBy: lostAt, at: now) }
            return
        }
        let nextEnd = lostAt + windowLength + Self.roundingOfTtl
        guard now < nextEnd else { return }
        // The provider's next window may have begun with the lost calls.
        count(from: max(0, presumedLimit - lost))
        self.resetsAt = nextEnd
        (endIsPresumed, presumedAt) = (true, now)
    }

    /// Opens a window whose end is presumed from a call that is sent at this time, unless a window is open.
    mutating func openPresumedWindow(at now: BootTime) {
        guard remaining == nil, let presumedLimit, !isUnlimited else { return }
        openPresumedWindow(at: now, counting: presumedLimit)
    }

    private mutating func openPresumedWindow(at now: BootTime, counting left: Int) {
        count(from: left)
        resetsAt = now + Self.maxTravelTime + windowLength + Self.roundingOfTtl
        (endIsPresumed, presumedAt) = (true, now)
    }

    /// Requests that a window allows before any reply has reported it; nil if unknown.
    var presumedLimit: Int? { documented ?? limit }

    /// Sets the number of requests left, and discards the numbers that replies reported.
    mutating func count(from left: Int?) {
        (counted, reported) = (left, nil)
    }
}
