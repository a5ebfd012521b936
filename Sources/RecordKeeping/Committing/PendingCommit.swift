/// A commit that is being prepared, written or applied, with the resulting entries.
///
/// Its changes are visible only to later work in the same commit. The entries themselves change after the store has
/// reported the commit as durable, so clients never receive a state that could still be lost.
struct PendingCommit: Sendable {
    /// An entry in its new state.
    struct PendingEntry: Sendable {
        let id: EntryID
        var entry: Entry
        /// The index of the cohort to which the answer in `entry` belongs; 0 if there is no answer.
        var cohort: UInt32
    }

    /// The next step after the commit is on disk. Each step takes as many turns as it needs.
    enum Conclusion: Hashable, Sendable {
        /// Updates the entries, starting at this index of `order`.
        case installing(next: Int)
        /// Schedules the completed entries again, starting at this index of `resolved`, and then replies to the
        /// requests.
        case resting(next: Int)
        /// Publishes the events, starting at this index of `events`.
        case publishing(next: Int)
        /// Replies to the callers waiting for the completed entries, starting at this index of `resolved`.
        case answeringCallers(next: Int)
        case done
    }

    /// The digest of the element from which an answer was decoded.
    struct NotedDigest: Sendable {
        /// The digest; nil if the reply has no digest of the element.
        let digest: ElementDigest?
    }

    let id: Commit.ID
    private(set) var writes: [Commit.Write] = []
    /// The changed entries in their new state; nil for a removed entry.
    private(set) var entries: [IPAddress: PendingEntry?] = [:]
    /// The new cohorts of repeated records whose entries are not in `entries`, keyed by slot index. These entries are
    /// committing, so they keep their slots.
    private(set) var moved: [Int: UInt32] = [:]
    /// The addresses in `entries` and `moved`, in the order of their first change.
    private(set) var order: [LocatedAddress] = []
    /// The cohorts that this commit adds. The commit holds each of them.
    private(set) var addedCohorts: Set<UInt32> = []
    /// The cohorts whose rows in the store added cohorts take over. The commit holds each of them.
    private(set) var replacedCohorts: Set<UInt32> = []
    /// The new ids of the replaced cohorts that still have records, because the reply has no answer for some of them.
    private(set) var remainderIDs: [UInt32: CohortID] = [:]
    /// The cohorts without holders that this commit deletes.
    private(set) var removedCohorts: [CohortID] = []
    /// The stored entries that this commit deletes because they have no counterpart in memory.
    private(set) var obsoleteEntries: [EntryID] = []
    /// Addresses whose call or removal this commit completes, whether or not their entry changes.
    private(set) var resolved: [LocatedAddress] = []
    /// Addresses that need another call, because the reply repeats an answer that was removed in the meantime.
    private(set) var calledAgain: [IPAddress] = []
    /// The digests of the elements from which the answers in this commit were decoded.
    private(set) var digests: [IPAddress: NotedDigest] = [:]
    private(set) var removesSome = false
    /// The changed host names.
    private(set) var names = PendingNames()
    private(set) var events: [PublishedEvent] = []
    /// The `seq` of each event that was already logged in the journal while commits were failing.
    private(set) var announced: Set<Int64> = []
    /// Whether the commit saves the state of the route, the provider and the quota.
    var savesHealth = false
    /// Replies that are withheld until the commit is on disk.
    private(set) var answers: [(request: Request.ID, response: Response)] = []
    /// A client's change that has been added only in part; nil if there is none.
    var unfinished: ChangeProgress?
    /// The progress of the first pending reload after this commit; nil if the commit contains none of its lines.
    var reading: PendingReading?
    /// Whether the watch list has entries from watch-list files after this commit; nil if the saved value is unchanged.
    private(set) var hasFileEntries: Bool?
    /// The callers for which this commit completes the last pending address, keyed by that address. An index may belong
    /// to another caller by the time the reply is sent.
    var readyCallers: [IPAddress: [Int]] = [:]
    var conclusion = Conclusion.installing(next: 0)
    /// The retention work of this commit; nil if it has none.
    var historyUpkeep: HistoryRetention.Upkeep?
    var savesAlertMark = false
    /// The numbers of the outages that this commit marks as ended.
    var endedOutages: Set<Int64> = []
    /// The work in this commit, to be repeated if it fails.
    var changes: [PendingChange] = []
    /// The `seq` of the last kept event, including the events of this commit.
    private(set) var lastSeq: Int64
    /// The id of the last stored entry, including the entries of this commit.
    private(set) var lastEntry: Int64

    /// Reserves capacity for this many more changes to entries, so that the collections are not reallocated as they
    /// grow.
    mutating func reserveCapacity(_ changes: Int) {
        entries.reserveCapacity(entries.count + changes)
        order.reserveCapacity(order.count + changes)
        events.reserveCapacity(events.count + changes)
        writes.reserveCapacity(writes.count + 2 * changes)
    }

    /// Reserves capacity for a reply that covers this many addresses. A commit can contain thousands of replies that
    /// each cover a single address; reserving capacity for each of them would reallocate the collections each time.
    mutating func reserveCapacity(replies addresses: Int) {
        guard addresses > 1 else { return }
        moved.reserveCapacity(moved.count + addresses)
        order.reserveCapacity(order.count + addresses)
        resolved.reserveCapacity(resolved.count + addresses)
        events.reserveCapacity(events.count + addresses)
    }

    /// Removes and returns the writes for the store, which frees them on its own thread.
    mutating func detachWrites() -> [Commit.Write] {
        defer { writes = [] }
        return writes
    }

    /// Frees the changed entries after all of them have been applied.
    mutating func forgetEntries() {
        entries = [:]
        moved = [:]
        order = []
    }

    /// Returns whether the commit removes the entry.
    func removes(_ address: IPAddress) -> Bool {
        if case .some(.none) = entries[address] { true } else { false }
    }

    /// Returns a new id for an entry that is not stored yet.
    mutating func nextEntryID() -> EntryID {
        lastEntry += 1
        return EntryID(number: lastEntry)
    }

    /// Creates or updates an entry.
    ///
    /// - Parameter cohort: the id of the cohort if the answer in `entry` replaces the stored record, otherwise nil.
    mutating func put(_ address: LocatedAddress, _ pendingEntry: PendingEntry, cohort: CohortID?) {
        change(address, to: pendingEntry)
        let key = EntryKey(id: pendingEntry.id, address: address.address)
        writes.append(.put(key, pendingEntry.entry, cohort: cohort))
    }

    /// Removes an entry.
    ///
    /// - Parameter id: its id in the store; nil if it is not stored.
    mutating func remove(_ address: LocatedAddress, _ id: EntryID?) {
        removesSome = true
        change(address, to: nil)
        if let id { writes.append(.remove(EntryKey(id: id, address: address.address))) }
    }

    // MARK: Cohorts

    /// The cohorts that the commit holds until all entries have been updated.
    var heldCohorts: [UInt32] {
        if case .installing = conclusion { allCohorts } else { [] }
    }

    /// The cohorts that the commit adds and those that it replaces, in ascending order.
    var allCohorts: [UInt32] { addedCohorts.union(replacedCohorts).sorted() }

    /// Adds a cohort, which the caller holds for this commit.
    mutating func add(_ cohort: UInt32, _ row: CohortTable.Row, provider: String) {
        addedCohorts.insert(cohort)
        writes.append(.cohort(row.id, at: row.at, provider: provider, version: row.version))
    }

    /// Records that an added cohort takes over the row of this cohort, which the caller holds for this commit.
    ///
    /// - Parameter new: the id of a new row for the remaining records of the cohort; nil if none remain.
    mutating func replace(_ cohort: UInt32, with new: CohortID?) {
        replacedCohorts.insert(cohort)
        remainderIDs[cohort] = new
    }

    /// Moves a repeated record to an added cohort.
    ///
    /// - Parameter slot: the slot index of the record's entry; nil if this commit creates the entry.
    mutating func move(_ address: IPAddress, in slot: Int?, to cohort: UInt32) {
        if entries[address] != nil {
            entries[address]??.cohort = cohort
        } else if let slot, moved.updateValue(cohort, forKey: slot) == nil {
            order.append(LocatedAddress(address, slot: slot))
        }
    }

    /// Deletes these cohorts and obsolete entries from the store.
    mutating func remove(cohorts: [CohortID], obsolete entries: [EntryID]) {
        removedCohorts += cohorts
        obsoleteEntries += entries
        writes += entries.map { .removeObsolete($0) } + cohorts.map { .removeCohort($0) }
    }

    mutating func resolve(_ address: LocatedAddress) {
        resolved.append(address)
    }

    mutating func callAgain(_ address: IPAddress) {
        calledAgain.append(address)
    }

    mutating func note(_ digest: ElementDigest?, of address: IPAddress) {
        digests[address] = NotedDigest(digest: digest)
    }

    /// Adds an event that is kept on disk, with the next `seq`.
    mutating func keep(
        _ kind: PublishedEvent.Kind, at: WallTime, address: IPAddress? = nil, fields: [FieldChange] = [],
        message: String? = nil, user: UInt32? = nil, name: HostName? = nil
    ) {
        lastSeq += 1
        let event = PublishedEvent(
            seq: lastSeq, at: at, kind: kind, address: address, fields: fields, message: message, user: user, name: name
        )
        events.append(event)
        writes.append(.event(event))
    }

    /// Records that the last kept event is already in the journal.
    mutating func lastIsAnnounced() {
        announced.insert(lastSeq)
    }

    /// Adds an event that is published but not kept.
    mutating func publish(_ kind: PublishedEvent.Kind, at: WallTime, address: IPAddress) {
        events.append(PublishedEvent(seq: nil, at: at, kind: kind, address: address))
    }

    /// Creates or replaces a watched host name.
    ///
    /// - Parameter old: its previous state in this commit; nil if it was not watched.
    mutating func put(_ watch: WatchedName, as name: HostName, replacing old: WatchedName?) {
        names.set(name, to: watch, replacing: old)
        writes.append(.putName(SavedName(name, watch)))
    }

    /// Removes a watched host name, whose previous state in this commit is `old`.
    mutating func remove(_ name: HostName, replacing old: WatchedName) {
        names.set(name, to: nil, replacing: old)
        writes.append(.removeName(name))
    }

    /// Records that the commit contains the result of resolving a host name.
    mutating func noteResolved(_ name: HostName) {
        names.noteResolved(name)
    }

    mutating func write(_ write: Commit.Write) {
        writes.append(write)
    }

    mutating func saveFileEntries(_ hasFileEntries: Bool) {
        self.hasFileEntries = hasFileEntries
        writes.append(.hasFileEntries(hasFileEntries))
    }

    mutating func answer(_ request: Request.ID, _ response: Response) {
        answers.append((request, response))
    }

    private mutating func change(_ address: LocatedAddress, to entry: PendingEntry?) {
        guard entries.updateValue(entry, forKey: address.address) == nil else { return }
        if address.slot.flatMap({ moved.removeValue(forKey: $0) }) == nil { order.append(address) }
    }
}
