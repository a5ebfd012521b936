import RecordKeeping

/// Positions of the journal with the times at which they were its end, so that a leader can delete old rows.
///
/// Every node collects them, because a leadership can be shorter than the retention of outcomes.
struct SweepMarks: Sendable {
    private var marks: [(cursor: JournalCursor, at: BootTime)] = []
    private var nextMark: BootTime?
    /// The time of the next sweep; nil if one is due.
    private(set) var nextSweep: BootTime?

    mutating func forget() {
        self = SweepMarks()
    }

    /// Remembers the end of the journal that this node has applied.
    mutating func note(_ end: JournalCursor, maxRetention: Duration, at now: BootTime) {
        guard nextMark.map({ $0 <= now }) ?? true else { return }
        nextMark = now + FleetLimits.sweepInterval
        if marks.last?.cursor == end { return }
        // The last mark that is older than every retention replaces the earlier ones.
        if let index = marks.lastIndex(where: { $0.at + maxRetention <= now }) { marks.removeFirst(index) }
        marks.append((end, now))
    }

    /// Returns the positions up to which rows are older than the retentions, if a sweep is due.
    ///
    /// - Parameter history: the number of the last row whose events the core no longer keeps.
    mutating func due(
        journal: Duration, outcomes: Duration, history: Int64, limit: Int, at now: BootTime
    ) -> Sweep? {
        guard nextSweep.map({ $0 <= now }) ?? true else { return nil }
        nextSweep = now + FleetLimits.sweepInterval
        guard let end = last(olderThan: journal, at: now) else { return nil }
        // No outcome has a number below that of the first row.
        let outcomesEnd = last(olderThan: outcomes, at: now)?.seq ?? -1
        return Sweep(journal: end, outcomes: outcomesEnd, history: history, limit: limit)
    }

    /// Makes the next sweep due at once, because more rows may be left.
    mutating func deleted(at now: BootTime) {
        nextSweep = now
    }

    private func last(olderThan retention: Duration, at now: BootTime) -> JournalCursor? {
        marks.last { $0.at + retention <= now }?.cursor
    }
}
