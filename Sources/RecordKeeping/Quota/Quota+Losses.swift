/// Lost calls, for which no reply shows the window in which they were counted.
extension Quota {
    /// Records a lost call while no window is known.
    mutating func mayHaveLost(arrivingBy arrival: BootTime, at now: BootTime) {
        unreportedLosses.add(arrivingBy: arrival, keeping: windowLength, at: now)
    }

    /// Applies earlier losses to the first window that a reply reports, because the reply may not include them.
    ///
    /// - Parameters:
    ///   - sentAt: when the call of that reply was sent.
    ///   - endAtLeast: the earliest end of the window.
    mutating func countUnreportedLosses(sentAt: BootTime, endAtLeast: BootTime) {
        for arrival in unreportedLosses.resolve(sentAt: sentAt) {
            counted = counted.map { max(0, $0 - 1) }
            hasLostCalls = true
            if arrival >= endAtLeast { countLateLoss(arrivingBy: arrival) }
        }
    }

    /// Records a lost call that may arrive after the end of this window, and so begin the next one.
    mutating func countLateLoss(arrivingBy arrival: BootTime) {
        lostLate += 1
        lostAt = max(lostAt, arrival)
    }
}
