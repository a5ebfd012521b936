/// The time from the loss of the connection until the daemon's next reply: when to reconnect, and how long lines wait.
///
/// All times are in milliseconds of the monotonic clock.
struct DaemonAbsence {
    /// When lines stop waiting for the daemon.
    private let waitEnd: Int64
    private var nextAttempt: Int64
    private var delay = DaemonAbsence.minDelay

    /// Milliseconds for which lines wait after the daemon has closed the connection.
    private static let maxWait: Int64 = 5_000
    /// Milliseconds between attempts to reconnect: a restart takes less than a second, and each attempt may start a
    /// daemon that fails at startup.
    static let (minDelay, maxDelay): (Int64, Int64) = (100, 5_000)

    /// - Parameter isSilent: whether the connection was lost because the daemon did not reply. Lines have waited for it
    ///   already.
    init(at now: Int64, isSilent: Bool) {
        waitEnd = isSilent ? now : now + Self.maxWait
        nextAttempt = now
        postponeAttempt(at: now)
    }

    func endsWaits(at now: Int64) -> Bool { now >= waitEnd }

    func isAttemptDue(at now: Int64) -> Bool { now >= nextAttempt }

    /// Sets the time of the next attempt after a failed one.
    mutating func postponeAttempt(at now: Int64) {
        nextAttempt = now + delay
        delay = min(delay * 2, Self.maxDelay)
    }

    /// Returns the milliseconds until the next attempt or the end of the wait; nil if only the daemon's reply is
    /// awaited.
    ///
    /// - Parameters:
    ///   - isConnected: whether there is a new connection, whose first reply is awaited.
    ///   - isPassingOn: whether lines no longer wait.
    func remaining(at now: Int64, isConnected: Bool, isPassingOn: Bool) -> Int32? {
        let moments = (isConnected ? [] : [nextAttempt]) + (isPassingOn ? [] : [waitEnd])
        return moments.min().map { Int32(clamping: max(0, $0 - now)) }
    }
}
