/// The quota of one endpoint: its current window, and the knowledge that outlasts a window.
///
/// Calls in flight count as spent, although the provider may have counted them already. The estimate may be too low,
/// and each reply corrects it. A window must survive a crash, so calls are reserved on disk first: unless there is no
/// limit, a call is sent only against a committed reservation.
///
/// Only the code in this file changes a quota.
struct Quota: Hashable, Sendable {
    let endpoint: Call.Endpoint
    /// Requests per window that the provider documents; nil if it documents none.
    let documented: Int?

    /// Number of requests that the latest reported window allows, according to its replies; before any reply, the
    /// documented number. It rises and falls from window to window, because other clients may spend the same quota.
    private(set) var limit: Int?
    /// Length of a window, as far as known: `Settings.documentedWindow`, or longer if a reply reported a longer window.
    private(set) var windowLength = Settings.documentedWindow
    /// The longest `X-Ttl` that was reported since the process started. No window is shorter.
    private(set) var maxReported = Duration.zero
    private(set) var window: QuotaWindow
    /// The end of the most recent past window whose end replies have reported.
    private(set) var previousEnd: ReportedEnd?
    /// The time at which the last presumed window was opened. A call that was sent earlier may belong to the previous
    /// window.
    private(set) var presumedAt: BootTime?
    /// The calls that were lost while no window was known.
    private(set) var unreportedLosses = UnreportedLosses()
    /// The latest time at which any call that was lost late in a window may still arrive.
    private(set) var lostAt = BootTime(nanoseconds: 0)
    /// Whether calls of the last window were lost so late that the provider may have counted them in a later window.
    private(set) var hadLateLosses = false
    /// The limit that has been presumed since a call was refused; nil if `limit` is known to hold.
    private(set) var reducedLimit: ReducedLimit?
    private(set) var inFlight = 0
    private(set) var reservations = QuotaReservations()
    /// The division of the open window among refreshes and lookups.
    private(set) var shares: QuotaShares

    init(endpoint: Call.Endpoint, documented: Int?, window: QuotaWindow = .closed) {
        (self.endpoint, self.window) = (endpoint, window)
        self.documented = documented
        limit = documented
        shares = QuotaShares(addressesPerCall: Self.addressesPerCall(endpoint))
    }

    /// Maximum number of addresses in one call to this endpoint.
    var addressesPerCall: Int { shares.addressesPerCall }

    private static func addressesPerCall(_ endpoint: Call.Endpoint) -> Int {
        switch endpoint {
        case .single: 1
        case .batch: Limits.addressesPerBatch
        }
    }

    /// Restores the quota as the last run saved it.
    mutating func restore(_ saved: SavedWindow, at now: BootTime) {
        // The last run saved 1 if its limit did not hold.
        reducedLimit = saved.limit == 1 ? ReducedLimit(since: now) : nil
        limit = isDistrusted ? documented ?? 1 : saved.limit ?? documented
        windowLength = min(max(saved.length, Settings.documentedWindow), Self.maxWindow)
        // After the process is killed, the kernel still sends the requests in its buffers.
        let arrivedBy = now + Self.maxTravelTime
        if let open = openWindow(of: saved, arrivingBy: arrivedBy, at: now) {
            (window, lostAt) = (open, arrivedBy)
        } else if limit != nil {
            window = windowBegun(byCallsOf: saved, arrivingBy: arrivedBy, at: now) ?? window
            if window.isOpen { lostAt = arrivedBy }
        } else if !saved.isOfEarlierBoot {
            for _ in 0..<max(0, saved.outstanding) {
                unreportedLosses.add(arrivingBy: arrivedBy, keeping: windowLength, at: now)
            }
        }
    }

    // MARK: Calls

    /// Requests a reservation of `count` more calls with the next commit. If no window is open, this opens one.
    mutating func reserve(_ count: Int, at now: BootTime) {
        endWindow(at: now)
        reservations.want(count)
        // The provider's window begins when the call arrives, so its latest possible end is saved.
        openPresumedWindow(forCallAt: now + Self.maxReservationAge, unusedSince: now)
    }

    /// Records that the commit in preparation contains the requested reservations.
    mutating func reservationBegan() { reservations.began() }

    mutating func reservationCommitted() { reservations.committed() }

    mutating func reservationFailed() { reservations.failed() }

    /// Records that a call is sent, with the number of its addresses of each rank.
    mutating func sent(at now: BootTime, _ addresses: RankCounts) {
        endWindow(at: now)
        inFlight += 1
        reservations.use()
        if case .presumed(var count, _, _?) = window {
            // The window begins with this call, and not with the reservation.
            count.reset(to: count.counted)
            presumeWindow(count, forCallAt: now)
        } else {
            openPresumedWindow(forCallAt: now)
        }
        shares.send(addresses, isCounted: window.isOpen)
    }

    /// Records the result of a call, with the quota that the reply's headers reported; nil if there was no reply.
    ///
    /// - Parameters:
    ///   - succeeded: whether the reply has the documented form. Only a reply that has this form but no quota headers
    ///     shows that there is no limit; an error page, perhaps from a proxy, shows nothing.
    ///   - sentAt: when the call was sent; nil for `now`.
    mutating func returned(_ reported: ReportedQuota?, succeeded: Bool, sentAt: BootTime? = nil, at now: BootTime) {
        inFlight -= 1
        endWindow(at: now)
        let sentAt = sentAt ?? now
        guard let left = reported?.remaining else {
            if succeeded { reducedLimit?.succeeded(sentAt: sentAt) }
            spendUnreported(succeeded: succeeded, at: now)
            return
        }
        if window == .unlimited { window = .closed }
        // A rejected call may not have been counted, but a window allows at least one request.
        let allowed = max(1, succeeded ? left + 1 : left)
        let ttl = Self.bounded(reported?.resetsIn ?? Settings.documentedWindow)
        maxReported = max(maxReported, ttl)
        windowLength = max(windowLength, maxReported)
        let end = ReportedEnd(in: ttl, sentAt: sentAt, at: now)
        switch window(endingAt: end, sentAt: sentAt, at: now) {
        case .over: break
        case .unsure: spendUnreported(succeeded: true, at: now)
        case .openOrLater:
            spendUnreported(succeeded: true, at: now)
            window.updateCount { $0.limit(to: left) }
        case .present(var count, let known):
            limit = max(limit ?? 1, allowed)
            count.spend(reporting: left, mayEnlarge: false)
            adopt(end.narrowed(to: known), count)
        case .another:
            // The reply belongs to a later window, so the open one has ended, even if its latest known end has not been
            // reached.
            if case .reported = window { closeWindow(at: now) }
            // Calls that were lost since the window began may have spent a part of it.
            let hasLostCalls = window.count?.hasLostCalls ?? hadLateLosses
            let mayLackCalls = hasLostCalls && lostAt + windowLength >= end.earliest
            let mayEnlarge = documented.map { $0 > presumedLimit ?? $0 } ?? true
            limit = mayLackCalls && !isDistrusted ? max(limit ?? 1, allowed) : allowed
            reducedLimit = nil
            spend(reporting: left, mayEnlarge: mayEnlarge, succeeded: succeeded, sentAt: sentAt, end: end)
        }
    }

    /// Handles a reply that reports a window other than the open one: counts the call as spent, and opens the reported
    /// window.
    ///
    /// - Parameter mayEnlarge: whether a presumed window may allow more calls than presumed.
    private mutating func spend(
        reporting left: Int, mayEnlarge: Bool, succeeded: Bool, sentAt: BootTime, end: ReportedEnd
    ) {
        switch window {
        case .presumed(var count, let presumedEnd, _):
            // If no call was lost, and the window may be larger than presumed, its first reply determines its size.
            count.spend(reporting: left, mayEnlarge: mayEnlarge)
            window = .presumed(count, end: max(presumedEnd, end.latest), unusedSince: nil)
        case .closed, .unlimited, .reported:
            let count = QuotaCount(left: left, reported: left, hasLostCalls: mayContainLosses(at: sentAt))
            window = .presumed(count, end: end.latest, unusedSince: nil)
        }
        // A rejected call may not have begun a window, so the reported end is only presumed.
        if succeeded, let count = window.count { adopt(end, count) }
        countUnreportedLosses(sentAt: sentAt, endAtLeast: end.earliest)
    }

    /// Records a refusal (429). No call is sent until the reported time or, without one, until the end of the known or
    /// documented window.
    ///
    /// - Parameter sentAt: when the call was sent; nil for `now`.
    /// - Returns: whether that time is known; if not, the provider's backoff applies.
    mutating func refused(_ reported: ReportedQuota?, sentAt: BootTime? = nil, at now: BootTime) -> Bool {
        endWindow(at: now)
        inFlight -= 1
        if window == .unlimited { window = .closed }
        reducedLimit = ReducedLimit(since: now)
        guard let ttl = reported?.resetsIn ?? documented.map({ _ in Settings.documentedWindow }) else {
            window.updateCount { $0.reset(to: 0) }
            return window.isOpen
        }
        let sentAt = sentAt ?? now
        let end = ReportedEnd(in: Self.bounded(ttl), sentAt: sentAt, at: now)
        switch window(endingAt: end, sentAt: sentAt, at: now) {
        case .over: return false
        case .unsure:
            spendUnreported(succeeded: true, at: now)
            return false
        case .openOrLater:
            spendUnreported(succeeded: true, at: now)
            window.updateCount { $0.limit(to: 0) }
            return true
        case .present, .another:
            var count = window.count ?? QuotaCount(left: 0, hasLostCalls: mayContainLosses(at: sentAt))
            count.reset(to: 0)
            adopt(end, count)
            return true
        }
    }

    /// Records a result without `X-Rl`. The call counts as spent in the open window. If no limit is known, a valid
    /// reply shows that there is none.
    private mutating func spendUnreported(succeeded: Bool, at now: BootTime) {
        // The call may have been in flight when its window ended, and may have begun the next one.
        openPresumedWindow(forCallAt: now)
        let arrivedBy = succeeded ? now : now + Self.maxTravelTime
        window.updateCount { $0.spendUnreported() }
        switch window {
        case .closed, .unlimited:
            if succeeded {
                (window, reducedLimit) = (.unlimited, nil)
            } else {
                unreportedLosses.add(arrivingBy: arrivedBy, keeping: windowLength, at: now)
            }
        case .presumed(let count, let end, let unusedSince):
            // The call may have begun the provider's window on arrival, at `arrivedBy` at the latest; a later reply may
            // report an earlier end.
            let latest = max(end, arrivedBy + windowLength + Self.roundingOfTtl)
            window = .presumed(count, end: latest, unusedSince: unusedSince)
            countLateLoss(arrivingBy: arrivedBy)
        case .reported(_, let end):
            if arrivedBy >= min(end.latest, end.earliest) { countLateLoss(arrivingBy: arrivedBy) }
        }
    }

    /// Counts earlier losses in the first window that a reply reports: the count in the reply may not include them.
    ///
    /// - Parameters:
    ///   - sentAt: when the call of that reply was sent.
    ///   - endAtLeast: the earliest end of the window.
    private mutating func countUnreportedLosses(sentAt: BootTime, endAtLeast: BootTime) {
        for arrival in unreportedLosses.resolve(sentAt: sentAt) {
            window.updateCount { $0.countEarlierLoss() }
            if arrival >= endAtLeast { countLateLoss(arrivingBy: arrival) }
        }
    }

    private mutating func countLateLoss(arrivingBy arrival: BootTime) {
        window.updateCount { $0.countLateLoss() }
        lostAt = max(lostAt, arrival)
    }

    // MARK: Windows

    /// Closes the window if it is over, or if its reservations have expired without a call. A lost call may already
    /// have begun the next window.
    mutating func endWindow(at now: BootTime) {
        if window.isOver(at: now) || window.isUnused(at: now) { closeWindow(at: now) }
    }

    private mutating func closeWindow(at now: BootTime) {
        guard let count = window.count else { return }
        reducedLimit?.windowEnded(isUsedUp: count.remaining == 0, at: now)
        if let reducedLimit, let limit, reducedLimit.calls > 1, reducedLimit.calls >= limit { self.reducedLimit = nil }
        let next = successor(at: now)
        if case .reported(_, let end) = window { previousEnd = end }
        if next.window.isOpen { presumedAt = now }
        hadLateLosses = count.lostLate > 0
        if presumedLimit == nil {
            for _ in 0..<count.lostLate { unreportedLosses.add(arrivingBy: lostAt, keeping: windowLength, at: now) }
        }
        (window, reservations) = (next.window, next.reservations)
        shares.endWindow()
    }

    /// Opens a window whose end is presumed from a call that is sent at this time, if no window is open and a limit is
    /// known.
    private mutating func openPresumedWindow(forCallAt sentAt: BootTime, unusedSince: BootTime? = nil) {
        guard window == .closed, let presumedLimit else { return }
        let count = QuotaCount(left: presumedLimit, hasLostCalls: mayContainLosses(at: unusedSince ?? sentAt))
        presumeWindow(count, forCallAt: sentAt, unusedSince: unusedSince)
    }

    /// - Parameter unusedSince: when the call was reserved, if it has not been sent yet; otherwise nil.
    private mutating func presumeWindow(_ count: QuotaCount, forCallAt sentAt: BootTime, unusedSince: BootTime? = nil) {
        let end = sentAt + Self.maxTravelTime + windowLength + Self.roundingOfTtl
        window = .presumed(count, end: end, unusedSince: unusedSince)
        presumedAt = unusedSince ?? sentAt
    }

    /// Sets the range of the window's end to the reported range. Lost calls that must have arrived before the range
    /// begins count in this window, not in the next.
    private mutating func adopt(_ end: ReportedEnd, _ count: QuotaCount) {
        window = .reported(count, end: end)
        if lostAt < end.earliest { window.updateCount { $0.clearLateLosses() } }
    }

    private static func bounded(_ ttl: Duration) -> Duration {
        min(max(ttl, .zero), maxWindow)
    }
}
