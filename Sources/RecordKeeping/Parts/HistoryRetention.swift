/// Decides when history is old enough to be deleted, on a clock that cannot be set.
///
/// The retention clock counts CLOCK_BOOTTIME while the machine is up, and is saved with the history. It stands still
/// while the machine is off, so history may be kept longer than `keep-history`, and never shorter, whatever the wall
/// clock says. Each mark on it names the last event and the last outage by then. History up to a mark is deleted once
/// the mark is old enough.
///
/// Disk use stays bounded: at most what was written in `keep-history` of running time, and a hundredth more, is kept.
struct HistoryRetention: Hashable, Sendable {
    /// Changes to the retention state that take effect with one commit.
    struct Upkeep: Hashable, Sendable {
        var clock: SavedHistoryClock
        var newMark: HistoryMark?
        /// The mark up to which all history is deleted.
        var expired: HistoryMark?
    }

    /// The clock's reading at `readAt`.
    private var elapsed = Duration.zero
    private var readAt = BootTime(nanoseconds: 0)
    /// In ascending order.
    private(set) var marks: [HistoryMark] = []
    /// The time of the last upkeep that a commit included; nil before the first.
    private var lastUpkeep: BootTime?

    /// Marks per `keep-history`: history is deleted a hundredth at a time.
    private static let marksPerRetention = 100
    /// Maximum time between two savings of the clock, and so the most that the clock loses in a power failure.
    private static let maxUpkeepInterval = Duration.seconds(600)

    func elapsed(at now: BootTime) -> Duration { elapsed + max(.zero, now - readAt) }

    /// Returns the retention work for the next commit; nil if it is too early. An upkeep whose commit fails is not
    /// repeated before the next interval: deleting takes room in the log that a full disk may not have.
    ///
    /// - Parameters:
    ///   - seq: the last event on disk.
    ///   - outage: the last ended outage.
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

    /// Applies an upkeep whose commit is on disk.
    mutating func committed(_ upkeep: Upkeep) {
        if let expired = upkeep.expired { marks.removeAll { $0.elapsed <= expired.elapsed } }
        if let mark = upkeep.newMark { marks.append(mark) }
    }

    /// Continues from where the last run stopped: within one boot the time in between counts, too.
    mutating func restore(_ clock: SavedHistoryClock?, _ marks: [HistoryMark], at now: BootTime) {
        elapsed = clock?.elapsed ?? .zero
        readAt = clock.map { $0.isOfEarlierBoot ? now : min($0.at.boot, now) } ?? now
        // The clock is saved with each mark, so a mark later than the clock is damaged.
        self.marks = marks.filter { $0.elapsed <= elapsed }.sorted { $0.elapsed < $1.elapsed }
    }
}
