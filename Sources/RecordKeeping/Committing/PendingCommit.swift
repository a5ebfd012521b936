/// A commit that is being prepared, written or applied, with the resulting entries.
///
/// Its changes are visible only to later work in the same commit. The entries themselves change after the store has
/// reported the commit as durable, so clients never receive a state that could still be lost.
struct PendingCommit: Sendable {
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

    let id: Commit.ID
    private(set) var writes: [Commit.Write] = []
    /// The changed entries in their new state; nil for a removed entry.
    private(set) var entries: [IPAddress: Entry?] = [:]
    /// The addresses in `entries`, in the order of their first change.
    private(set) var order: [IPAddress] = []
    /// Addresses whose call or removal this commit completes, whether or not their entry changes.
    private(set) var resolved: [IPAddress] = []
    private(set) var removesSome = false
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

    /// Reserves capacity for this many more changes to entries, so that the collections are not reallocated as they
    /// grow.
    mutating func reserveCapacity(_ changes: Int) {
        entries.reserveCapacity(entries.count + changes)
        order.reserveCapacity(order.count + changes)
        events.reserveCapacity(events.count + changes)
        writes.reserveCapacity(writes.count + 2 * changes)
    }

    /// Removes and returns the writes for the store, which frees them on its own thread.
    mutating func detachWrites() -> [Commit.Write] {
        defer { writes = [] }
        return writes
    }

    /// Frees the changed entries after all of them have been applied.
    mutating func forgetEntries() {
        entries = [:]
        order = []
    }

    /// Returns whether the commit removes the entry.
    func removes(_ address: IPAddress) -> Bool {
        if case .some(.none) = entries[address] { true } else { false }
    }

    mutating func put(_ address: IPAddress, _ entry: Entry, scanReplaced: Bool) {
        change(address, to: entry)
        writes.append(.put(address, entry, scanReplaced: scanReplaced))
    }

    mutating func remove(_ address: IPAddress) {
        removesSome = true
        change(address, to: nil)
        writes.append(.remove(address))
    }

    mutating func resolve(_ address: IPAddress) {
        resolved.append(address)
    }

    /// Adds an event that is kept on disk, with the next `seq`.
    mutating func keep(
        _ kind: PublishedEvent.Kind, at: WallTime, address: IPAddress? = nil, fields: [FieldChange] = [],
        message: String? = nil, user: UInt32? = nil
    ) {
        lastSeq += 1
        let event = PublishedEvent(
            seq: lastSeq, at: at, kind: kind, address: address, fields: fields, message: message, user: user)
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

    private mutating func change(_ address: IPAddress, to entry: Entry?) {
        if entries.updateValue(entry, forKey: address) == nil { order.append(address) }
    }
}
