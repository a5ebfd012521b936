/// The number of calls that a window is presumed to allow after a refusal (429), until a reply reports a number. The
/// number is one at first. Without quota headers, nothing shows how far the limit has fallen, so the number doubles
/// after each window in which all of these calls were spent and at least one of them succeeded.
struct ReducedLimit: Hashable, Sendable {
    private(set) var calls = 1
    /// The time of the refusal, of the startup that restored a reduced limit, or of the end of the last window.
    private var since: BootTime
    /// Whether a call that was sent at or after `since` has succeeded.
    private var hasSucceeded = false

    init(since: BootTime) {
        self.since = since
    }

    mutating func succeeded(sentAt: BootTime) {
        if sentAt >= since { hasSucceeded = true }
    }

    mutating func windowEnded(isUsedUp: Bool, at now: BootTime) {
        if hasSucceeded, isUsedUp { calls = min(calls, Int(UInt32.max)) * 2 }
        (since, hasSucceeded) = (now, false)
    }
}
