/// An entry as the store held it at the start.
package struct SavedEntry: Hashable, Sendable {
    package var address: IPAddress
    package var entry: Entry

    package init(_ address: IPAddress, _ entry: Entry) {
        self.address = address
        self.entry = entry
    }
}

/// What the store held at the start, beside the entries, of which there may be millions (`Event.restoring`).
///
/// An instant of an earlier boot has its wall time as it was written, and a boot time that puts it as long before now
/// as the wall clock says. What the wall clock says may be wrong; the keeper holds it within bounds.
package struct Restored: Sendable {
    /// The seq of the last notice ever kept, 0 when there was none. Never goes down, even when notices are forgotten.
    package var lastSeq: Int64
    /// The seq of the oldest notice still kept; nil where none is.
    package var oldestSeq: Int64?
    /// Those of every provider that was ever asked.
    package var windows: [SavedWindow]
    /// Every provider that was ever asked.
    package var providers: [SavedProvider]
    package var networkLoss: SavedLoss?
    /// The outage that had not ended.
    package var outage: Outage?
    /// The number of the last outage ever kept, 0 when there was none.
    package var lastOutage: Int64
    /// Nil in a database that has none yet.
    package var historyClock: SavedHistoryClock?
    package var historyMarks: [HistoryMark]
    /// Kept alerts that may be missing in the journal, because the process ended right after their commit.
    package var unloggedAlerts: [Notice]
    /// Whether the last reading of the lists found an address in a watch-list file; nil in a database that does not say.
    package var hasFileEntries: Bool?

    package init(
        lastSeq: Int64 = 0, oldestSeq: Int64? = nil, windows: [SavedWindow] = [], providers: [SavedProvider] = [],
        networkLoss: SavedLoss? = nil, outage: Outage? = nil, lastOutage: Int64 = 0,
        historyClock: SavedHistoryClock? = nil, historyMarks: [HistoryMark] = [], unloggedAlerts: [Notice] = [],
        hasFileEntries: Bool? = nil
    ) {
        self.hasFileEntries = hasFileEntries
        self.historyClock = historyClock
        self.historyMarks = historyMarks
        self.unloggedAlerts = unloggedAlerts
        self.outage = outage
        self.lastOutage = lastOutage
        self.lastSeq = lastSeq
        self.oldestSeq = oldestSeq
        self.windows = windows
        self.providers = providers
        self.networkLoss = networkLoss
    }
}
