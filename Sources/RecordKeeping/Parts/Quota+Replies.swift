/// What came of calls, and what that tells of the window.
extension Quota {
    /// A call came back, with what its headers told, if it had any.
    ///
    /// - Parameter succeeded: the reply was of the documented form. Only such a one that tells of no quota shows that
    ///   there is none; an error page of something in between shows nothing.
    /// - Parameter sentAt: when the call went out; nil for just now.
    mutating func returned(_ told: QuotaTold?, succeeded: Bool, sentAt: BootTime? = nil, at now: BootTime) {
        inFlight -= 1
        endWindow(at: now)
        guard let left = told?.remaining else {
            spendUntold(succeeded: succeeded, at: now)
            return
        }
        isUnlimited = false
        isDistrusted = false
        // What was turned away may not have been counted; but a window that allows nothing would be none.
        limit = max(limit ?? 1, succeeded ? left + 1 : left)
        let ttl = told?.resetsIn ?? Settings.documentedWindow
        longestTold = max(longestTold, Self.bounded(ttl))
        windowLength = max(windowLength, longestTold)
        let sentAt = sentAt ?? now
        let end = ToldEnd(in: Self.bounded(ttl), sentAt: sentAt, at: now)
        switch window(endingAt: end, sentAt: sentAt, at: now) {
        case .over: break
        case .unsure: spendUntold(succeeded: true, at: now)
        case .present:
            spend(telling: left, isTruth: false)
            narrow(to: end)
        case .another where endIsPresumed || resetsAt == nil:
            // The first reply of a window is the truth about it, where nothing is documented and no call was lost.
            spend(telling: left, isTruth: documented == nil && !hasLostCalls && self.told == nil)
            if succeeded {
                adopt(end)
            } else {
                // What was turned away may have begun no window at all, and then what it tells is of none.
                (resetsAt, endIsPresumed, unusedSince) = (max(resetsAt ?? end.latest, end.latest), true, nil)
            }
            countUntoldLosses(sentAt: sentAt, endAtLeast: end.earliest)
        case .another:
            spend(telling: left, isTruth: false)
            adopt(end)
        }
    }

    /// The provider refused: nothing more until the time it told, or else until the window is over that is known or documented.
    ///
    /// - Parameter sentAt: when the call went out; nil for just now.
    /// - Returns: whether that time is known; if not, the provider's backoff has to do.
    mutating func refused(_ told: QuotaTold?, sentAt: BootTime? = nil, at now: BootTime) -> Bool {
        endWindow(at: now)
        inFlight -= 1
        isUnlimited = false
        isDistrusted = true
        guard let ttl = told?.resetsIn ?? documented.map({ _ in Settings.documentedWindow }) else {
            count(from: remaining.map { _ in 0 })
            return remaining != nil
        }
        let sentAt = sentAt ?? now
        let end = ToldEnd(in: Self.bounded(ttl), sentAt: sentAt, at: now)
        switch window(endingAt: end, sentAt: sentAt, at: now) {
        case .over: return false
        case .unsure:
            spendUntold(succeeded: true, at: now)
            return false
        case .present, .another:
            count(from: 0)
            adopt(end)
            return true
        }
    }

    /// A call came back without `X-Rl`: in a window it was spent; where nothing is known, nothing is limited.
    private mutating func spendUntold(succeeded: Bool, at now: BootTime) {
        // It was under way when its window ended, and may be what the next one began with.
        openPresumedWindow(at: now)
        guard let counted, let end = resetsAt else {
            if succeeded, presumedLimit == nil {
                isUnlimited = true
                isDistrusted = false
            } else if !succeeded {
                mayHaveLost(arrivingBy: now + Self.longestTravel, at: now)
            }
            return
        }
        self.counted = max(0, counted - 1)
        told = told.map { max(0, $0 - 1) }
        hasLostCalls = true
        let arrivedBy = succeeded ? now : now + Self.longestTravel
        // It may be what the provider's window began with, whenever it arrived; or a reply may yet tell of an earlier end.
        if endIsPresumed { resetsAt = max(end, arrivedBy + windowLength + Self.roundingOfTtl) }
        if endIsPresumed || arrivedBy >= min(end, earliestEnd ?? now) { countLateLoss(arrivingBy: arrivedBy) }
    }

    /// A call came back, and told what was left when it had arrived.
    ///
    /// - Parameter isTruth: nothing is known that could make the window smaller than that.
    private mutating func spend(telling left: Int, isTruth: Bool) {
        let less = counted.map { max(0, $0 - 1) } ?? left
        counted = isTruth ? max(less, left) : less
        told = min(told ?? left, left)
    }

    private mutating func adopt(_ end: ToldEnd) {
        (resetsAt, endIsPresumed, unusedSince) = (end.latest, false, nil)
        lastsAtLeast(until: end.earliest)
    }

    /// No reply tells of an end before the true one: the earliest is the best known, however slow the others were.
    private mutating func narrow(to end: ToldEnd) {
        resetsAt = min(resetsAt ?? end.latest, end.latest)
        lastsAtLeast(until: max(earliestEnd ?? end.earliest, end.earliest))
    }

    /// What was lost is in this window and not in the next, where it must have arrived before this one's end.
    private mutating func lastsAtLeast(until end: BootTime) {
        earliestEnd = end
        if lostAt < end { lostLate = 0 }
    }

    private static func bounded(_ ttl: Duration) -> Duration {
        min(max(ttl, .zero), longestWindow)
    }
}

/// Between which times a window ends of which a reply told.
///
/// It was told when the call arrived, which was at some time between its sending and the reply's coming.
struct ToldEnd: Hashable, Sendable {
    let earliest: BootTime
    let latest: BootTime
}

extension ToldEnd {
    /// - Parameter ttl: `X-Ttl`, rounded down.
    fileprivate init(in ttl: Duration, sentAt: BootTime, at now: BootTime) {
        self.init(earliest: sentAt + ttl, latest: now + ttl + Quota.roundingOfTtl)
    }
}

extension Quota {
    /// Of which window a reply tells.
    private enum ToldWindow {
        /// Of one that is over.
        case over
        /// Of one that is over, or of the present one.
        case unsure
        /// Of the one that is open, and of which others have told.
        case present
        /// Of a later one, or of the first that any reply has told of, or of one that was only presumed.
        case another
    }

    /// Two replies of one window differ little in the earliest end that they tell: by the way there, and by the rounding.
    private func window(endingAt end: ToldEnd, sentAt: BootTime, at now: BootTime) -> ToldWindow {
        if !endIsPresumed, let earliestEnd, let resetsAt {
            if end.latest + Self.longestWay < earliestEnd { return .over }
            if end.earliest > min(resetsAt, earliestEnd + Self.longestWay) { return .another }
            // Who was asleep in between may have sent it at any time.
            let isVague = now - sentAt > Self.longestReply || end.earliest + Self.longestWay < earliestEnd
            return isVague ? .unsure : .present
        }
        if let previousEnd, sentAt < previousEnd.latest, end.earliest <= previousEnd.earliest + Self.longestWay {
            // The next one lasts as long.
            return end.latest + Self.longestWay < previousEnd.earliest + longestTold ? .over : .unsure
        }
        if endIsPresumed, let presumedAt, sentAt < presumedAt, end.earliest < presumedAt { return .unsure }
        return .another
    }
}
