/// The number of calls that a window is presumed to allow after a refusal (429): one at first, as long as no reply
/// reports a number. Without quota headers, it doubles after each window with a success, because it is not known how far
/// the limit has fallen.
struct ReducedLimit: Hashable, Sendable {
    /// When the last call was refused, or when a reduced limit was restored at startup.
    let since: BootTime
    private(set) var calls = 1
    /// Whether a call that was sent later has succeeded in the open window.
    private var hasSucceeded = false

    init(since: BootTime) {
        self.since = since
    }

    mutating func succeeded(sentAt: BootTime) {
        if sentAt > since { hasSucceeded = true }
    }

    mutating func windowEnded() {
        if hasSucceeded { (calls, hasSucceeded) = (min(calls, Int(UInt32.max)) * 2, false) }
    }
}
