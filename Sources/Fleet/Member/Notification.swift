import RecordKeeping

/// The notifications of a node: at most one per 100 ms.
struct Notification: Hashable, Sendable {
    private var lastAt: BootTime?
    private var isPending = false

    /// The time of the pending notification; nil if there is none.
    var next: BootTime? {
        guard isPending, let lastAt else { return nil }
        return lastAt + FleetLimits.notifyGap
    }

    mutating func request() {
        isPending = true
    }

    /// Returns whether to send a notification now.
    mutating func isDue(at now: BootTime) -> Bool {
        guard isPending, next.map({ $0 <= now }) ?? true else { return false }
        (isPending, lastAt) = (false, now)
        return true
    }
}
