package import RecordKeeping

/// A time on the clock of the leader of a term: its CLOCK_BOOTTIME.
package struct LeaderTime: Hashable, Sendable {
    package let term: Int64
    package let clock: BootTime

    package init(term: Int64, clock: BootTime) {
        (self.term, self.clock) = (term, clock)
    }
}
