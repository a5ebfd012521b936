/// A point on the retention clock, with the last event and the last outage that were written by then.
package struct HistoryMark: Hashable, Sendable {
    /// The time on the retention clock.
    package var elapsed: Duration
    /// The seq of the last event on disk.
    package var seq: Int64
    /// The number of the last outage that has ended.
    package var outage: Int64

    package init(elapsed: Duration, seq: Int64, outage: Int64) {
        self.elapsed = elapsed
        self.seq = seq
        self.outage = outage
    }
}

/// The saved retention clock: how long history has been kept, not counting the time during which the machine was off.
package struct SavedHistoryClock: Hashable, Sendable {
    package var elapsed: Duration
    /// The moment at which the clock was read.
    package var at: Instant
    /// Whether the clock was saved before the machine last booted.
    package var isOfEarlierBoot: Bool

    package init(elapsed: Duration, at: Instant, isOfEarlierBoot: Bool = false) {
        self.elapsed = elapsed
        self.at = at
        self.isOfEarlierBoot = isOfEarlierBoot
    }
}
