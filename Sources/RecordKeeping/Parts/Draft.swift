/// A commit in the making, and until it is on disk: what the world will be after it, beside what it is.
///
/// What a draft changes is seen by the work that follows in the same draft and by nobody else; the entries themselves change
/// when the store says that it is on disk. So nobody is ever told of what could still be lost.
struct Draft: Sendable {
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
    /// What this draft changes for readings of the lists, and which of them it is the end of.
    var listChanges: [Int: ListChanges] = [:]
    var listsTaken: [Int] = []
    /// Outages that are over, and written as such.
    var endedOutages: Set<Int64> = []
    /// What was taken into this draft, to be tried again if it fails.
    var works: [Work] = []
    var lastSeq: Int64

    init(id: Commit.ID, lastSeq: Int64) {
        self.id = id
        self.lastSeq = lastSeq
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

    mutating func answer(_ request: Request.ID, _ response: Response) {
        answers[request] = response
        answerOrder.append(request)
    }

    private mutating func change(_ address: IPAddress, to entry: Entry?) {
        if entries.updateValue(entry, forKey: address) == nil { order.append(address) }
    }
}

/// How many addresses a reading of the lists has put on the watch list, and taken off.
struct ListChanges: Hashable, Sendable {
    var added = 0
    var removed = 0

    mutating func add(_ other: ListChanges) {
        added += other.added
        removed += other.removed
    }
}
