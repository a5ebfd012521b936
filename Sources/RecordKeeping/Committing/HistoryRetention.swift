/// Decides when history is old enough to be deleted, using a clock that cannot be set.
///
/// The retention clock counts CLOCK_BOOTTIME while the machine is up, and is saved with the history. The clock stops
/// while the machine is off, so history may be kept longer than `keep-history`, but never shorter, regardless of the
/// wall clock. Each mark holds a time on the retention clock, and the last event and the last outage at that time.
/// History up to a mark is deleted once the mark is old enough.
///
/// Disk use is bounded: history is kept for at most `keep-history` plus one hundredth of it, in running time.
struct HistoryRetention: Hashable, Sendable {
    /// Changes to the retention state that take effect with one commit.
    struct Upkeep: Hashable, Sendable {
        var clock: SavedHistoryClock
        var newMark: HistoryMark?
        /// The mark up to which all history is deleted.
        var expired: HistoryMark?
    }

    /// The time on the retention clock at `readAt`.
    private var elapsed = Duration.zero
    private var readAt = BootTime(nanoseconds: 0)
    /// The history marks, in ascending order.
    private(set) var marks: [HistoryMark] = []
    /// The time of the last upkeep that a commit included; nil before the first.
    private var lastUpkeep: BootTime?

    /// Number of marks per `keep-history`. History is deleted a hundredth at a time.
    private static let marksPerRetention = 100
    /// Maximum time between two saves of the clock while there are commits, which limits how much time the clock can
    /// lose in a power failure.
    private static let maxUpkeepInterval = Duration.seconds(600)

    func elapsed(at now: BootTime) -> Duration { elapsed + max(.zero, now - readAt) }

    /// Returns the retention work for the next commit; nil if none is due yet.
    ///
    /// Work whose commit fails is not repeated before the next interval, because deleting needs space in the
    /// write-ahead log, and a full disk may not have that space.
    ///
    /// - Parameters:
    ///   - seq: the `seq` of the last event on disk.
    ///   - outage: the number of the last outage that has ended.
    mutating func beginUpkeep(keeping retention: Duration, seq: Int64, outage: Int64, at now: Instant) -> Upkeep? {
        let spacing = retention / Self.marksPerRetention
        if let lastUpkeep, now.boot - lastUpkeep < min(spacing, Self.maxUpkeepInterval) { return nil }
        lastUpkeep = now.boot
        let elapsed = elapsed(at: now.boot)
        var upkeep = Upkeep(clock: SavedHistoryClock(elapsed: elapsed, at: now))
        if marks.last.map({ elapsed - $0.elapsed >= spacing }) ?? true {
            upkeep.newMark = HistoryMark(elapsed: elapsed, seq: seq, outage: outage)
        }
        upkeep.expired = marks.last { elapsed - $0.elapsed >= retention }
        return upkeep
    }

    /// Applies retention work whose commit is on disk.
    mutating func committed(_ upkeep: Upkeep) {
        if let expired = upkeep.expired { marks.removeAll { $0.elapsed <= expired.elapsed } }
        if let mark = upkeep.newMark { marks.append(mark) }
    }

    /// Restores the clock and its marks. If the machine has not rebooted since the last run, the time since that run
    /// counts as well.
    mutating func restore(_ clock: SavedHistoryClock?, _ marks: [HistoryMark], at now: BootTime) {
        elapsed = clock?.elapsed ?? .zero
        readAt = clock.map { $0.isOfEarlierBoot ? now : min($0.at.boot, now) } ?? now
        // The clock is saved with each mark, so a mark that is later than the clock is invalid.
        self.marks = marks.filter { $0.elapsed <= elapsed }.sorted { $0.elapsed < $1.elapsed }
    }
}
