/// The entries that are past their deadline and not yet in a call, as slot indices. Refreshes are in order of their
/// deadlines, and lookups in the order of `LookupQueue`.
struct DueQueues: Sendable {
    enum Rank: CaseIterable, Hashable, Sendable {
        /// The address is watched, and a caller waits for its record.
        case urgent
        /// The address is watched, and no caller waits for its record.
        case background
        /// The address is not watched, and was requested by a client.
        case lookup
    }

    /// The entries of one call, as slot indices, in the order of the ranks.
    struct Batch: Hashable, Sendable {
        fileprivate(set) var indices: [Int] = []
        fileprivate(set) var counts = RankCounts()
    }

    private var urgent = Schedule()
    private var background = Schedule()
    private var lookups = LookupQueue()
    /// The time at which a lookup was last added; nil if there was none.
    private var lastLookup: BootTime?

    var count: Int { counts.total }
    var isEmpty: Bool { count == 0 }
    var counts: RankCounts {
        RankCounts(urgent: urgent.count, background: background.count, lookup: lookups.count)
    }

    /// The number of lookups that no caller waits for.
    var unawaitedLookups: Int { lookups.count - lookups.awaited }

    /// Returns the number of queues that contain the entry: 1 or 0.
    func queues(containing index: Int) -> Int {
        [urgent.contains(index), background.contains(index), lookups.contains(index)].count { $0 }
    }

    /// Returns whether a caller waits for the entry, according to its queue.
    func isAwaited(_ index: Int) -> Bool { urgent.contains(index) || lookups.isAwaited(index) }

    /// Returns whether more lookups are expected, because one was added within the last `Settings.documentedWindow`.
    func expectsLookups(at now: BootTime) -> Bool {
        lastLookup.map { now < $0 + Settings.documentedWindow } ?? false
    }

    /// The queued lookups of users without administrative rights, as `LookupQueue.fromTheEnd` orders them.
    var lookupsFromTheEnd: [Int] { lookups.fromTheEnd }

    // MARK: Changes

    /// Adds a refresh of a watched entry.
    ///
    /// - Parameter index: must not be in any queue.
    mutating func add(_ index: Int, isAwaited: Bool, since: BootTime) {
        if isAwaited { urgent.set(index, to: since) } else { background.set(index, to: since) }
    }

    /// Adds a lookup.
    ///
    /// - Parameter index: must not be in any queue.
    mutating func addLookup(_ index: Int, for requester: Requester, isAwaited: Bool, at now: BootTime) {
        lookups.add(index, for: requester, isAwaited: isAwaited)
        lastLookup = now
    }

    mutating func remove(_ index: Int) {
        urgent.remove(index)
        background.remove(index)
        if lookups.contains(index) { lookups.remove(index) }
    }

    /// Raises the priority of an entry, because a caller waits for it. A background refresh moves to the urgent queue,
    /// where it keeps its deadline, and a lookup moves to the lookups with a waiting caller.
    mutating func hurry(_ index: Int, for requester: Requester) {
        lookups.hurry(index, for: requester)
        guard let since = background.deadline(of: index) else { return }
        background.remove(index)
        urgent.set(index, to: since)
    }

    /// Lowers the priority of an entry, because no caller waits for it any more.
    ///
    /// - Parameter requester: the client that began the lookup, if the entry is a lookup.
    mutating func relax(_ index: Int, for requester: Requester) {
        lookups.relax(index, for: requester)
        guard let since = urgent.deadline(of: index) else { return }
        urgent.remove(index)
        background.set(index, to: since)
    }

    /// Removes and returns the entries for the next call. There may be fewer than requested if an entry permits only
    /// smaller calls.
    ///
    /// - Parameters:
    ///   - counts: the number of entries of each rank.
    ///   - consecutiveFailures: returns the number of consecutive failed calls that an entry was part of.
    mutating func dequeue(_ counts: RankCounts, consecutiveFailures: (Int) -> UInt8) -> Batch {
        var batch = Batch()
        var room = counts.total
        for rank in Rank.allCases {
            let before = batch.indices.count
            while batch.indices.count - before < counts[rank], room > 0, let index = first(rank) {
                let sizeLimit = Self.maxBatchSize(afterFailures: consecutiveFailures(index))
                // The entry permits only smaller calls, so it waits until it is the first entry of a call.
                guard batch.indices.count - before < sizeLimit else { break }
                removeFirst(rank, index)
                batch.indices.append(index)
                room = min(room - 1, sizeLimit - (batch.indices.count - before))
            }
            batch.counts[rank] = batch.indices.count - before
        }
        return batch
    }

    /// Returns the entry that `dequeue` would return first; nil if there is none.
    func first(of counts: RankCounts) -> Int? { Rank.allCases.first { counts[$0] > 0 }.flatMap(first) }

    private func first(_ rank: Rank) -> Int? {
        switch rank {
        case .urgent: urgent.first
        case .background: background.first
        case .lookup: lookups.first
        }
    }

    private mutating func removeFirst(_ rank: Rank, _ index: Int) {
        switch rank {
        case .urgent: urgent.remove(index)
        case .background: background.remove(index)
        case .lookup: lookups.dequeue(index)
        }
    }

    /// Maximum number of failed calls that are counted for an address. An address that has reached this number is
    /// called alone.
    static let maxFailures: UInt8 = 8

    /// Returns the maximum size of a call with an address that was part of failed calls while the provider was
    /// otherwise healthy. The size halves with each failure after the first, until an address that makes the provider
    /// fail is called alone.
    static func maxBatchSize(afterFailures consecutiveFailures: UInt8) -> Int {
        consecutiveFailures <= 1
            ? Limits.addressesPerBatch : max(1, Limits.addressesPerBatch >> min(Int(consecutiveFailures) - 1, 7))
    }
}
