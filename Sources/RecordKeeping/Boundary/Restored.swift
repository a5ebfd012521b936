/// An entry as it is stored.
package struct SavedEntry: Hashable, Sendable {
    package var key: EntryKey
    package var entry: Entry
    /// The cohort to which the record belongs; nil if the entry has no record.
    package var cohort: CohortID?

    package init(_ key: EntryKey, _ entry: Entry, cohort: CohortID?) {
        self.key = key
        self.entry = entry
        self.cohort = cohort
    }
}

/// The state that is restored from the store at startup, except the entries. There may be millions of entries, so they
/// are passed separately (`Event.restoring`).
///
/// An instant from an earlier boot has its saved wall time, and a boot time computed from its age according to the wall
/// clock. The wall clock may be wrong, so the keeper limits these values.
package struct Restored: Sendable {
    /// The seq of the last event, 0 if there was none. It never decreases, even if events are deleted.
    package var lastSeq: Int64
    /// The seq of the oldest kept event; nil if none is kept.
    package var oldestSeq: Int64?
    /// The quota windows of all providers that have been called.
    package var windows: [SavedWindow]
    /// The health of each endpoint of all providers that have been called.
    package var health: [SavedHealth]
    package var networkLoss: SavedLoss?
    /// The ongoing outage.
    package var outage: Outage?
    /// The number of the last outage, 0 if there was none.
    package var lastOutage: Int64
    /// The retention clock; nil if the database has none yet.
    package var historyClock: SavedHistoryClock?
    package var historyMarks: [HistoryMark]
    /// Kept alerts that may be missing from the journal: the last run may have ended right after their commit.
    package var unloggedAlerts: [PublishedEvent]
    /// Whether the watch list has entries from watch-list files; nil if the database does not contain this information.
    package var hasFileEntries: Bool?
    /// An id that is not below the id of any stored entry or record, including those that could not be read.
    package var lastEntry: EntryID
    /// An id that is not below the id of any stored cohort, or of any cohort to which a stored record refers.
    package var lastCohort: CohortID
    /// The stored cohorts to which no record belongs. The last run ended before it deleted them.
    package var emptyCohorts: [CohortID]
    /// The stored entries that are unreadable except for their ids and addresses.
    package var unreadableEntries: [EntryKey]
    /// The watched host names.
    package var names: [SavedName]

    package init(
        lastSeq: Int64 = 0, oldestSeq: Int64? = nil, windows: [SavedWindow] = [], health: [SavedHealth] = [],
        networkLoss: SavedLoss? = nil, outage: Outage? = nil, lastOutage: Int64 = 0,
        historyClock: SavedHistoryClock? = nil, historyMarks: [HistoryMark] = [], unloggedAlerts: [PublishedEvent] = [],
        hasFileEntries: Bool? = nil, lastEntry: EntryID = EntryID(number: 0),
        lastCohort: CohortID = CohortID(number: 0),
        emptyCohorts: [CohortID] = [], unreadableEntries: [EntryKey] = [],
        names: [SavedName] = []
    ) {
        self.names = names
        self.unreadableEntries = unreadableEntries
        self.emptyCohorts = emptyCohorts
        self.lastEntry = lastEntry
        self.lastCohort = lastCohort
        self.hasFileEntries = hasFileEntries
        self.historyClock = historyClock
        self.historyMarks = historyMarks
        self.unloggedAlerts = unloggedAlerts
        self.outage = outage
        self.lastOutage = lastOutage
        self.lastSeq = lastSeq
        self.oldestSeq = oldestSeq
        self.windows = windows
        self.health = health
        self.networkLoss = networkLoss
    }
}
