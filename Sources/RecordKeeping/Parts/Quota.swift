/// What may still be sent to one endpoint, as its provider counts it.
///
/// Three kinds of knowledge, from the strongest down:
/// - an open window: `remaining` until `resetsAt`, as the last reply told or as the documented limit allows;
/// - no open window, and a limit known from an earlier one: a window is presumed that begins with the next call;
/// - no limit known either: one call at a time, until its reply tells;
/// - unlimited: a reply came that told of no quota at all, and nothing is documented.
///
/// What is in flight counts as spent although the provider may have counted it already: the estimate errs low, and every
/// reply corrects it. A window that outlives a crash must have been spent on disk first, hence the reservations: a call goes
/// out only against one that is committed, unless nothing is limited.
struct Quota: Hashable, Sendable {
    let endpoint: Call.Endpoint
    /// Requests a window, where the provider documents them.
    let documented: Int?

    /// The largest number of requests that a window was seen to allow.
    var limit: Int?
    /// What is left of the window by our own count: whatever came back was spent, and so was what got lost.
    var counted: Int?
    /// The least that a reply of this window told, for others may spend of it too. Replies overtake each other, and none
    /// tells of a call that arrived after its own: hence both.
    var told: Int?
    var resetsAt: BootTime?
    /// The window's end was presumed when its first call went out, and no reply has told it yet.
    var endIsPresumed = false
    /// When the window that is presumed was: a call that was sent before may be of the one before.
    var presumedAt: BootTime?
    /// When the last window ended of which replies told.
    var previousEnd: ToldEnd?
    /// The window was opened for a reservation at this time, and no call has gone out in it.
    var unusedSince: BootTime?
    /// The window lasts at least until then: it was told before the reply began its way, which may have taken seconds.
    var earliestEnd: BootTime?
    /// Calls that were lost so late in this window that the provider may have counted them in the next.
    var lostLate = 0
    /// Calls of this window were lost: what they spent is not in what replies told before.
    var hasLostCalls = false
    /// The latest time at which the last of them may have arrived.
    var lostAt = BootTime(nanoseconds: 0)
    var untoldLosses = UntoldLosses()
    var isUnlimited = false
    /// The last reply was a 429: whatever is documented, one call at a time until one succeeds.
    var isDistrusted = false

    var inFlight = 0
    /// To be spent by the next commit.
    private(set) var wanted = 0
    /// Spent by the commit under way.
    private(set) var reserving = 0
    /// Committed as spent, not sent yet.
    private var reserved = 0
    /// Addresses of this window that nobody watches; a call of nothing else counts as full.
    private(set) var unwatched = 0
    /// How long a window is, as far as is known: as long as documented elsewhere, or longer, where that was told.
    var windowLength: Duration
    /// The longest `X-Ttl` that was told in this life: no window is shorter.
    var longestTold = Duration.zero

    init(endpoint: Call.Endpoint, documented: Int?) {
        self.endpoint = endpoint
        self.documented = documented
        limit = documented
        windowLength = Settings.documentedWindow
    }

    /// Requests left in the open window; nil where none is open.
    var remaining: Int? { counted.map { min($0, told ?? $0) } }

    /// Addresses that one call of this endpoint takes.
    var addressesPerCall: Int { endpoint == .batch ? Limits.addressesPerBatch : 1 }

    /// Calls go out only against a reservation, unless nothing is limited: what is under way when the daemon ends has to be on
    /// disk, also where nothing is known of a window yet.
    var needsReservation: Bool { !isUnlimited }

    /// Calls that are already spent on disk, and may go out at once: of those, no more than a reply has told since to be left.
    func reserved(at now: BootTime) -> Int {
        isOver(at: now) ? 0 : min(reserved, max(0, (remaining ?? reserved) - inFlight))
    }

    /// How many more calls may be sent or reserved now.
    func room(at now: BootTime) -> Int {
        if isOver(at: now) { return ended(at: now).room(at: now) }
        let most = isDistrusted ? 1 : Limits.callsInFlight
        if isUnlimited { return max(0, most - outstanding) }
        guard let left = remaining ?? presumedLimit else { return max(0, 1 - outstanding) }
        return max(0, min(left, most) - outstanding)
    }

    /// The window is used up, or will be by what is in flight: nothing more before `resetsAt`.
    func isExhausted(at now: BootTime) -> Bool {
        if isOver(at: now) { return ended(at: now).isExhausted(at: now) }
        guard let remaining, let resetsAt, now < resetsAt else { return false }
        return remaining <= outstanding
    }

    /// How many calls may still go out in the window, or in the next one, where it is over: those that are spent on disk for it,
    /// too. Nil where nothing is limited, or no limit is known.
    func left(at now: BootTime) -> Int? {
        if isOver(at: now) { return ended(at: now).left(at: now) }
        guard !isUnlimited, let allowed = remaining ?? presumedLimit else { return nil }
        return max(0, allowed - inFlight)
    }

    /// Calls that count as spent although no reply has told so.
    var outstanding: Int { inFlight + wanted + reserving + reserved }

    /// The next commit is to spend `count` calls more of the window; without one open, this opens it.
    mutating func reserve(_ count: Int, at now: BootTime) {
        endWindow(at: now)
        wanted += count
        guard remaining == nil else { return }
        // The provider's begins when the call gets there, and the disk has to know the latest end that it may have.
        openPresumedWindow(at: now + Self.longestReservation)
        if remaining != nil { (unusedSince, presumedAt) = (now, now) }
    }

    /// The commit that is now put together spends what was wanted.
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

    /// A call goes out.
    mutating func sent(at now: BootTime, unwatched: Int, watched: Int) {
        endWindow(at: now)
        inFlight += 1
        reserved = max(0, reserved - 1)
        self.unwatched += unwatchedCost(unwatched: unwatched, watched: watched)
        if unusedSince != nil, let counted {
            // It begins with this call, and not with the reservation.
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

    func ended(at now: BootTime) -> Quota {
        var quota = self
        quota.endWindow(at: now)
        return quota
    }

    /// A window that is over ends; the next one may have begun already, with a call that was lost.
    mutating func endWindow(at now: BootTime) {
        if let unusedSince, now > unusedSince + Self.longestReservation {
            self.unusedSince = nil
            (wanted, reserving) = (0, 0)
            resetsAt = now
        }
        guard isOver(at: now) else { return }
        if !endIsPresumed, let earliestEnd, let resetsAt {
            previousEnd = ToldEnd(earliest: earliestEnd, latest: resetsAt)
        }
        self.resetsAt = nil
        count(from: nil)
        (endIsPresumed, earliestEnd) = (false, nil)
        // What was reserved was reserved of that window.
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
        // The provider's next window may have begun with what was lost.
        count(from: max(0, presumedLimit - lost))
        self.resetsAt = nextEnd
        (endIsPresumed, presumedAt) = (true, now)
    }

    /// A window of which no reply has told, where none is open: it begins with a call that goes out at this time.
    mutating func openPresumedWindow(at now: BootTime) {
        guard remaining == nil, let presumedLimit, !isUnlimited else { return }
        openPresumedWindow(at: now, counting: presumedLimit)
    }

    private mutating func openPresumedWindow(at now: BootTime, counting left: Int) {
        count(from: left)
        resetsAt = now + Self.longestTravel + windowLength + Self.roundingOfTtl
        (endIsPresumed, presumedAt) = (true, now)
    }

    /// What a window allows of which no reply has told.
    var presumedLimit: Int? { documented ?? limit }

    mutating func count(from left: Int?) {
        (counted, told) = (left, nil)
    }
}
