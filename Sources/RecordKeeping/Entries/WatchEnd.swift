/// When a watch ends by itself.
///
/// The end of a watch deletes data, so it does not depend on the wall clock alone: the retention clock
/// (`HistoryRetention`), which cannot be set, has to reach a time as well. A wall clock that is set forward by mistake
/// therefore ends no watch. The retention clock stops while the machine is off, so a watch may last past
/// `until`, but never shorter than a client has asked for.
package struct WatchEnd: Hashable, Sendable {
    /// The time that the client has asked for.
    package var until: WallTime
    /// The time on the retention clock, in whole milliseconds.
    package var elapsed: Duration

    package init(until: WallTime, elapsed: Duration) {
        self.until = until
        self.elapsed = elapsed
    }

    /// - Parameter elapsed: the time on the retention clock at `now`.
    init(until: WallTime, seenAt now: Instant, elapsed: Duration) {
        let left = max(.zero, until - now.wall)
        // Rounded up, so that the watch does not end early.
        let milliseconds = (elapsed + left + .nanoseconds(999_999)).wholeMilliseconds
        self.init(until: until, elapsed: .milliseconds(milliseconds))
    }

    /// Returns whether both clocks have reached the end.
    ///
    /// - Parameter elapsed: the time on the retention clock.
    func isReached(at wall: WallTime, elapsed: Duration) -> Bool {
        until <= wall && self.elapsed <= elapsed
    }

    /// Returns the later of both ends, on each clock.
    func later(_ other: WatchEnd) -> WatchEnd {
        WatchEnd(until: max(until, other.until), elapsed: max(elapsed, other.elapsed))
    }
}
