/// The requests left in an open quota window.
struct QuotaCount: Hashable, Sendable {
    /// Requests left by the daemon's own count, in which every returned or lost call counts as spent.
    private(set) var counted: Int
    /// The smallest number of remaining requests in the replies of this window; nil if no reply has reported a number.
    /// Other clients may share the quota. Replies may arrive out of order, and no reply includes the calls that arrived
    /// after its own call, so both counts are needed.
    private(set) var reported: Int?
    /// Whether calls of this window were lost. Earlier replies do not include them.
    private(set) var hasLostCalls: Bool
    /// Number of calls that were lost so late in this window that the provider may have counted them in the next.
    private(set) var lostLate: Int

    init(left: Int, reported: Int? = nil, hasLostCalls: Bool, lostLate: Int = 0) {
        counted = left
        self.reported = reported
        self.hasLostCalls = hasLostCalls
        self.lostLate = lostLate
    }

    /// Requests left, by the lower of the two counts.
    var remaining: Int { min(counted, reported ?? counted) }

    /// Sets the number of requests left, and discards the numbers that replies reported.
    mutating func reset(to left: Int) {
        (counted, reported) = (left, nil)
    }

    /// Counts a call as spent, with the number of requests that its reply reported as left.
    ///
    /// - Parameter mayEnlarge: whether the first reply of the window determines its size, if no call was lost. If
    ///   false, the window is not larger than presumed.
    mutating func spend(reporting left: Int, mayEnlarge: Bool) {
        let less = max(0, counted - 1)
        let isTruth = mayEnlarge && !hasLostCalls && reported == nil
        counted = isTruth ? max(less, left) : less
        limit(to: left)
    }

    /// Counts one call as spent, because its reply was lost or did not report the quota.
    mutating func spendUnreported() {
        counted = max(0, counted - 1)
        reported = reported.map { max(0, $0 - 1) }
        hasLostCalls = true
    }

    /// Records the number of remaining requests that a reply reported. The call itself has already been counted.
    mutating func limit(to left: Int) {
        reported = min(reported ?? left, left)
    }

    /// Counts a lost call that the first reply to report this window may not have included in its count.
    mutating func countEarlierLoss() {
        counted = max(0, counted - 1)
        hasLostCalls = true
    }

    /// Records a lost call that may arrive after the end of this window, and so begin the next one.
    mutating func countLateLoss() {
        lostLate += 1
    }

    /// Records that all lost calls must have arrived before the window ends, and so count in no other window.
    mutating func clearLateLosses() {
        lostLate = 0
    }
}
