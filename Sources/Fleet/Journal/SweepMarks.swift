import RecordKeeping

/// Positions of the journal with the times at which they were its end, so that old rows can be deleted.
struct SweepMarks: Sendable {
    private var marks: [(cursor: JournalCursor, at: BootTime)] = []
    private(set) var nextAt: BootTime?

    mutating func forget() {
        (marks, nextAt) = ([], nil)
    }

    /// Remembers the current end, and returns the last position that is older than the retention, if a sweep is due.
    mutating func due(end: JournalCursor, retention: Duration, at now: BootTime) -> JournalCursor? {
        guard nextAt.map({ $0 <= now }) ?? true else { return nil }
        nextAt = now + FleetLimits.sweepInterval
        marks.append((end, now))
        guard let index = marks.lastIndex(where: { $0.at + retention <= now }) else { return nil }
        defer { marks.removeFirst(index + 1) }
        return marks[index].cursor
    }
}
