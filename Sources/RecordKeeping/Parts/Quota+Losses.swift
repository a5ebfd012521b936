/// Calls that got lost, where nothing tells in which window they were counted.
extension Quota {
    /// A call was lost, and nothing is known of a window.
    mutating func mayHaveLost(arrivingBy arrival: BootTime, at now: BootTime) {
        untoldLosses.add(arrivingBy: arrival, keeping: windowLength, at: now)
    }

    /// A window was told for the first time, by a reply to a call that was sent then: what was lost before may be missing in it.
    mutating func countUntoldLosses(sentAt: BootTime, endAtLeast: BootTime) {
        for arrival in untoldLosses.settle(sentAt: sentAt) {
            counted = counted.map { max(0, $0 - 1) }
            hasLostCalls = true
            if arrival >= endAtLeast { countLateLoss(arrivingBy: arrival) }
        }
    }

    /// A call was lost that may arrive when this window is over, and begin the next.
    mutating func countLateLoss(arrivingBy arrival: BootTime) {
        lostLate += 1
        lostAt = max(lostAt, arrival)
    }
}
