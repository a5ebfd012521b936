/// A commit in the making, and until it is on disk: what the world will be after it, beside what it is.
///
/// What a draft changes is seen by the work that follows in the same draft and by nobody else; the entries themselves change
/// when the store says that it is on disk. So nobody is ever told of what could still be lost.
struct Draft: Sendable {
    /// The next step once the draft is on disk. Each step takes as many turns as it needs.
    enum Conclusion: Hashable, Sendable {
        /// Changes the entries, from this index of `order` on.
        case installing(next: Int)
        /// Puts the settled entries to rest, from this index on, and then replies to the requests.
        case resting(next: Int)
        /// Publishes the notices, from this index on.
        case publishing(next: Int)
        /// Replies to the callers that wait for the settled entries, from this index on.
        case answeringCallers(next: Int)
        case done
    }

    let id: Commit.ID
    private(set) var writes: [Commit.Write] = []
    /// The entries that change, as they will be; nil for one that goes.
    private(set) var entries: [IPAddress: Entry?] = [:]
    /// In the order in which they were first changed.
    private(set) var order: [IPAddress] = []
    /// Addresses whose call this draft settles, whether or not their entry changes.
    private(set) var settled: [IPAddress] = []
    private(set) var removesSome = false
    private(set) var notices: [Notice] = []
    /// Notices that the journal has been told already, because an earlier commit of them failed.
    private(set) var announced: Set<Int64> = []
    /// What is kept of the way, the provider and the quota goes along.
    var savesHealth = false
    /// Answers that are withheld until this is on disk.
    var answers: [Request.ID: Response] = [:]
    var answerOrder: [Request.ID] = []
    /// A client's change that is only partly drafted; nil if there is none.
    var unfinished: ChangeProgress?
    /// The progress of the first reading of the lists after this draft; nil if the draft has none of its lines.
    var reading: PendingReading?
    /// Whether the watch list has entries of watch-list files after this draft; nil if the saved value stays.
    private(set) var hasFileEntries: Bool?
    /// Callers of whom the draft settles the last awaited address, by that address. Each one's index may have been given
    /// to another caller by the time it is answered.
    var readyCallers: [IPAddress: [Int]] = [:]
    var conclusion = Conclusion.installing(next: 0)
    /// The retention state after this draft; nil if it does not change.
    var historyUpkeep: HistoryRetention.Upkeep?
    var savesAlertMark = false
    /// Outages that are over, and written as such.
    var endedOutages: Set<Int64> = []
    /// What was taken into this draft, to be tried again if it fails.
    var works: [Work] = []
    var lastSeq: Int64

    init(id: Commit.ID, lastSeq: Int64) {
        self.id = id
        self.lastSeq = lastSeq
    }

    /// Reserves room for this many changes of entries, which would otherwise be moved as the collections grow.
    mutating func reserveCapacity(_ changes: Int) {
        entries.reserveCapacity(entries.count + changes)
        order.reserveCapacity(order.count + changes)
        notices.reserveCapacity(notices.count + changes)
        writes.reserveCapacity(writes.count + 2 * changes)
    }

    /// Returns the writes for the store, which frees them on a thread of its own.
    mutating func detachWrites() -> [Commit.Write] {
        defer { writes = [] }
        return writes
    }

    /// Frees the drafted entries, once all of them are applied.
    mutating func forgetEntries() {
        entries = [:]
        order = []
    }

    /// Whether the draft removes the entry.
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

    mutating func settle(_ address: IPAddress) {
        settled.append(address)
    }

    /// Keeps a notice, with the next seq.
    mutating func keep(
        _ kind: Notice.Kind, at: WallTime, address: IPAddress? = nil, fields: [FieldChange] = [],
        message: String? = nil
    ) {
        lastSeq += 1
        let notice = Notice(seq: lastSeq, at: at, kind: kind, address: address, fields: fields, message: message)
        notices.append(notice)
        writes.append(.notice(notice))
    }

    /// The journal has been told of the last notice.
    mutating func lastIsAnnounced() {
        announced.insert(lastSeq)
    }

    /// Tells a notice that is not kept.
    mutating func tell(_ kind: Notice.Kind, at: WallTime, address: IPAddress) {
        notices.append(Notice(seq: nil, at: at, kind: kind, address: address))
    }

    mutating func write(_ write: Commit.Write) {
        writes.append(write)
    }

    mutating func saveFileEntries(_ hasFileEntries: Bool) {
        self.hasFileEntries = hasFileEntries
        writes.append(.hasFileEntries(hasFileEntries))
    }

    mutating func answer(_ request: Request.ID, _ response: Response) {
        answers[request] = response
        answerOrder.append(request)
    }

    private mutating func change(_ address: IPAddress, to entry: Entry?) {
        if entries.updateValue(entry, forKey: address) == nil { order.append(address) }
    }
}
