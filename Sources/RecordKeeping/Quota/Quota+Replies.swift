/// The results of calls, and what they show about the window.
extension Quota {
    /// Records the result of a call, with the quota that the reply's headers reported; nil if there was no reply.
    ///
    /// - Parameters:
    ///   - succeeded: whether the reply has the documented form. Only such a reply without quota headers shows that
    ///     there is no limit; an error page, perhaps from a proxy, shows nothing.
    ///   - sentAt: when the call was sent; nil for `now`.
    mutating func returned(_ reported: ReportedQuota?, succeeded: Bool, sentAt: BootTime? = nil, at now: BootTime) {
        inFlight -= 1
        endWindow(at: now)
        guard let left = reported?.remaining else {
            spendUnreported(succeeded: succeeded, at: now)
            return
        }
        isUnlimited = false
        isDistrusted = false
        // A rejected call may not have been counted, but a window allows at least one request.
        limit = max(limit ?? 1, succeeded ? left + 1 : left)
        let ttl = reported?.resetsIn ?? Settings.documentedWindow
        maxReported = max(maxReported, Self.bounded(ttl))
        windowLength = max(windowLength, maxReported)
        let sentAt = sentAt ?? now
        let end = ReportedEnd(in: Self.bounded(ttl), sentAt: sentAt, at: now)
        switch window(endingAt: end, sentAt: sentAt, at: now) {
        case .over: break
        case .unsure: spendUnreported(succeeded: true, at: now)
        case .present:
            spend(reporting: left, isTruth: false)
            narrow(to: end)
        case .another where endIsPresumed || resetsAt == nil:
            // The first reply of a window determines its size, if no limit is documented and no call was lost.
            spend(reporting: left, isTruth: documented == nil && !hasLostCalls && self.reported == nil)
            if succeeded {
                adopt(end)
            } else {
                // A rejected call may not have begun a window, so the reported end is only presumed.
                (resetsAt, endIsPresumed, unusedSince) = (max(resetsAt ?? end.latest, end.latest), true, nil)
            }
            countUnreportedLosses(sentAt: sentAt, endAtLeast: end.earliest)
        case .another:
            spend(reporting: left, isTruth: false)
            adopt(end)
        }
    }

    /// Records a refusal (429). No call is sent until the reported time or, without one, until the end of the known or
    /// documented window.
    ///
    /// - Parameter sentAt: when the call was sent; nil for `now`.
    /// - Returns: whether that time is known; if not, the provider's backoff applies.
    mutating func refused(_ reported: ReportedQuota?, sentAt: BootTime? = nil, at now: BootTime) -> Bool {
        endWindow(at: now)
        inFlight -= 1
        isUnlimited = false
        isDistrusted = true
        guard let ttl = reported?.resetsIn ?? documented.map({ _ in Settings.documentedWindow }) else {
            count(from: remaining.map { _ in 0 })
            return remaining != nil
        }
        let sentAt = sentAt ?? now
        let end = ReportedEnd(in: Self.bounded(ttl), sentAt: sentAt, at: now)
        switch window(endingAt: end, sentAt: sentAt, at: now) {
        case .over: return false
        case .unsure:
            spendUnreported(succeeded: true, at: now)
            return false
        case .present, .another:
            count(from: 0)
            adopt(end)
            return true
        }
    }

    /// Records a result without `X-Rl`. The call counts as spent in the open window. If no limit is known, a valid
    /// reply shows that there is none.
    private mutating func spendUnreported(succeeded: Bool, at now: BootTime) {
        // The call may have been in flight when its window ended, and may have begun the next one.
        openPresumedWindow(at: now)
        guard let counted, let end = resetsAt else {
            if succeeded, presumedLimit == nil {
                isUnlimited = true
                isDistrusted = false
            } else if !succeeded {
                mayHaveLost(arrivingBy: now + Self.maxTravelTime, at: now)
            }
            return
        }
        self.counted = max(0, counted - 1)
        reported = reported.map { max(0, $0 - 1) }
        hasLostCalls = true
        let arrivedBy = succeeded ? now : now + Self.maxTravelTime
        // The call may have begun the provider's window whenever it arrived, and a later reply may report an earlier
        // end.
        if endIsPresumed { resetsAt = max(end, arrivedBy + windowLength + Self.roundingOfTtl) }
        if endIsPresumed || arrivedBy >= min(end, earliestEnd ?? now) { countLateLoss(arrivingBy: arrivedBy) }
    }

    /// Counts a call as spent, with the number of requests that its reply reported as left.
    ///
    /// - Parameter isTruth: whether nothing is known that would make the window smaller than reported.
    private mutating func spend(reporting left: Int, isTruth: Bool) {
        let less = counted.map { max(0, $0 - 1) } ?? left
        counted = isTruth ? max(less, left) : less
        reported = min(reported ?? left, left)
    }

    /// Replaces the range of the window's end by the reported one.
    private mutating func adopt(_ end: ReportedEnd) {
        (resetsAt, endIsPresumed, unusedSince) = (end.latest, false, nil)
        lastsAtLeast(until: end.earliest)
    }

    /// Narrows the range of the window's end to its overlap with the reported range. Both contain the true end, however
    /// slow the replies were.
    private mutating func narrow(to end: ReportedEnd) {
        resetsAt = min(resetsAt ?? end.latest, end.latest)
        lastsAtLeast(until: max(earliestEnd ?? end.earliest, end.earliest))
    }

    /// Sets the earliest end of the window. Calls that were lost and must have arrived before it count in this window,
    /// not in the next.
    private mutating func lastsAtLeast(until end: BootTime) {
        earliestEnd = end
        if lostAt < end { lostLate = 0 }
    }

    private static func bounded(_ ttl: Duration) -> Duration {
        min(max(ttl, .zero), maxWindow)
    }
}

/// The range of times in which a window ends, as a reply reported it.
///
/// The provider computed `X-Ttl` when the call arrived, at some time between the sending of the call and the arrival of
/// the reply.
struct ReportedEnd: Hashable, Sendable {
    let earliest: BootTime
    let latest: BootTime
}

extension ReportedEnd {
    /// - Parameter ttl: `X-Ttl`, which the provider rounds down.
    fileprivate init(in ttl: Duration, sentAt: BootTime, at now: BootTime) {
        self.init(earliest: sentAt + ttl, latest: now + ttl + Quota.roundingOfTtl)
    }
}

extension Quota {
    /// The window that a reply refers to.
    private enum ReportedWindow {
        /// A window that has ended.
        case over
        /// A window that has ended, or the open one.
        case unsure
        /// The open window, whose end other replies have reported.
        case present
        /// A later window, or the first that any reply has reported, or one whose end was only presumed.
        case another
    }

    /// Returns the window that a reply refers to. The earliest ends that replies of one window report differ by at most
    /// `maxDeliveryTime`: by the travel time of the calls and by rounding.
    private func window(endingAt end: ReportedEnd, sentAt: BootTime, at now: BootTime) -> ReportedWindow {
        if !endIsPresumed, let earliestEnd, let resetsAt {
            if end.latest + Self.maxDeliveryTime < earliestEnd { return .over }
            if end.earliest > min(resetsAt, earliestEnd + Self.maxDeliveryTime) { return .another }
            // If the machine was suspended in between, the provider may have replied at any time.
            let isVague = now - sentAt > Self.maxReplyTime || end.earliest + Self.maxDeliveryTime < earliestEnd
            return isVague ? .unsure : .present
        }
        if let previousEnd, sentAt < previousEnd.latest, end.earliest <= previousEnd.earliest + Self.maxDeliveryTime {
            // The next window has the same length.
            return end.latest + Self.maxDeliveryTime < previousEnd.earliest + maxReported ? .over : .unsure
        }
        if endIsPresumed, let presumedAt, sentAt < presumedAt, end.earliest < presumedAt { return .unsure }
        return .another
    }
}
