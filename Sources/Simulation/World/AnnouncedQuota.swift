/// The quota of one endpoint as far as the provider has announced it to the daemon. It decides whether the daemon could
/// know that the provider would refuse a request.
struct AnnouncedQuota {
    /// A reply about the quota.
    struct Report {
        /// The number of the window in which the provider sent the reply.
        let window: Int
        let remaining: Int
        /// Whether the request was the first one of its window.
        let isFirst: Bool
    }

    /// The number of the provider's current window.
    private(set) var window = 0
    /// The beginning of the current or last window; nil if there was none.
    private(set) var opened: Moment?
    /// The limit of the current window.
    private var limit = 0
    /// The limit that the daemon may presume: that of the latest window whose first request was answered while no lost
    /// calls could have been counted in it, or that of a later window if it is higher. Before the first reply, it is
    /// the provider's original limit, which the provider may have documented; nil if there is none.
    private var reportedLimit: Int?
    /// The time at which the daemon last lost a call to this endpoint; nil if it never did.
    private var lostAt: Moment?
    /// The number of windows, including the current one, in which the daemon cannot know the quota: neighbours spend
    /// it, or the provider has changed it.
    private var uncertainWindows = 0
    /// The time at which the daemon learned that the quota of the current window is used up; nil if it has not.
    private var usedUpAt: Moment?
    /// Whether the daemon's knowledge that the quota is used up is on disk.
    private var isStored = false
    /// The time of the first reply of the current window that reached the daemon; nil if there was none.
    private(set) var knownSince: Moment?
    /// The maximum number of calls of the current window that the daemon counts twice: those that preceded the call
    /// whose reply was the first to reach the daemon. The daemon does not know that this reply includes them.
    private(set) var countedTwice = 0
    /// Whether the current window certainly contains no call that the daemon lost.
    var hasNoLostCalls: Bool { lostAt.map { $0 + Self.maxDelay < opened ?? .start } ?? true }

    /// The sum of the maximum time for which a lost request may still travel after its loss is known, and the maximum
    /// time from sending the first request to the beginning of the window.
    static let maxDelay = Duration.seconds(2 + 2)

    init(originalLimit: Int?) {
        reportedLimit = originalLimit
    }

    /// Handles the beginning of a window at the provider.
    mutating func windowOpened(limit: Int, at now: Moment) {
        window += 1
        opened = now
        self.limit = limit
        uncertainWindows = max(0, uncertainWindows - 1)
        if let reportedLimit, reportedLimit != limit { uncertainWindows = max(uncertainWindows, 2) }
        (usedUpAt, knownSince, isStored) = (nil, nil, false)
    }

    /// Handles a request of a neighbour. The request also affects later windows, which may begin earlier than the
    /// daemon knows.
    mutating func neighbourCalled() {
        uncertainWindows = 3
    }

    /// Handles a reply that has reached the daemon.
    mutating func received(_ report: Report, at now: Moment) {
        guard report.window == window else { return }
        if knownSince == nil { (knownSince, countedTwice) = (now, max(0, limit - 1 - report.remaining)) }
        // Calls that were lost in the window or shortly before it may have spent the requests that the reply does not
        // report as left.
        let isExact = report.isFirst && hasNoLostCalls
        reportedLimit = isExact ? limit : max(reportedLimit ?? limit, limit)
        if report.remaining == 0 { usedUpAt = usedUpAt ?? now }
    }

    /// Handles a commit that has been written and contains the quota.
    ///
    /// - Parameter madeAt: the time at which the core made the commit.
    mutating func stored(madeAt: Moment) {
        if let usedUpAt, usedUpAt <= madeAt { isStored = true }
    }

    /// Handles a call that has ended without a reply, or whose process has been replaced by another one, so that the
    /// daemon does not know whether it arrived.
    mutating func lost(at now: Moment) {
        lostAt = now
    }

    /// Handles the end of a process. The next process knows only what is on disk.
    mutating func processEnded() {
        if !isStored { usedUpAt = nil }
    }

    /// Whether the daemon could know that the provider would refuse a request sent at this time.
    func couldBeKnown(sentAt: Moment) -> Bool {
        uncertainWindows == 0 || usedUpAt.map { $0 < sentAt } ?? false
    }
}
