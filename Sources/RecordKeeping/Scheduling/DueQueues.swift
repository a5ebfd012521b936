/// The entries that are past their deadline and not yet in a call, as slot indices. Each queue has the most overdue
/// entry first.
struct DueQueues: Sendable {
    enum Rank: CaseIterable, Hashable, Sendable {
        /// The address is watched, and a caller waits for its record.
        case urgent
        /// The address is watched, and no caller waits for its record.
        case background
        /// The address is not watched, and was requested by a client.
        case lookup
    }

    /// The entries of one call, as slot indices.
    struct Batch: Hashable, Sendable {
        var watched: [Int] = []
        var unwatched: [Int] = []

        var count: Int { watched.count + unwatched.count }
        var all: [Int] { watched + unwatched }
    }

    private var urgent = Schedule()
    private var background = Schedule()
    private var lookups = Schedule()

    var count: Int { urgent.count + background.count + lookups.count }
    var isEmpty: Bool { count == 0 }
    var hasLookups: Bool { !lookups.isEmpty }

    /// Returns the number of queues that contain the entry: 1 or 0.
    func queues(containing index: Int) -> Int {
        [urgent, background, lookups].count { $0.contains(index) }
    }

    /// - Parameter index: must not be in any queue.
    mutating func add(_ index: Int, _ rank: Rank, since: BootTime) {
        switch rank {
        case .urgent: urgent.set(index, to: since)
        case .background: background.set(index, to: since)
        case .lookup: lookups.set(index, to: since)
        }
    }

    mutating func remove(_ index: Int) {
        urgent.remove(index)
        background.remove(index)
        lookups.remove(index)
    }

    /// Moves a background refresh to the urgent queue, because a caller waits for it. The entry keeps its deadline.
    mutating func hurry(_ index: Int) {
        guard let since = background.deadline(of: index) else { return }
        background.remove(index)
        urgent.set(index, to: since)
    }

    /// Removes and returns the entries for the next call.
    ///
    /// Entries with a waiting caller come first. If background refreshes are due, entries with a waiting caller get at
    /// most two thirds of the call before lookups and background refreshes are added, so that clients cannot delay
    /// refreshes forever. At most a third of a quota window goes to addresses that are not watched.
    ///
    /// - Parameters:
    ///   - maximum: the maximum number of addresses in the call.
    ///   - quota: the quota of the endpoint that is called.
    ///   - consecutiveFailures: returns the number of consecutive failed calls that an entry was part of.
    mutating func dequeue(
        atMost maximum: Int, for quota: Quota, at now: BootTime, consecutiveFailures: (Int) -> UInt8
    ) -> Batch {
        var batch = Batch()
        var room = maximum
        let isAlone = urgent.isEmpty && background.isEmpty
        let urgentShare = background.isEmpty ? maximum : max(1, maximum * 2 / 3)
        batch.watched += Self.dequeue(from: &urgent, atMost: urgentShare, room: &room, consecutiveFailures)
        let lookupShare = lookupShare(of: maximum, isAlone: isAlone, quota, at: now)
        batch.unwatched += Self.dequeue(from: &lookups, atMost: lookupShare, room: &room, consecutiveFailures)
        batch.watched += Self.dequeue(from: &background, atMost: maximum, room: &room, consecutiveFailures)
        batch.watched += Self.dequeue(from: &urgent, atMost: maximum, room: &room, consecutiveFailures)
        return batch
    }

    private func lookupShare(of maximum: Int, isAlone: Bool, _ quota: Quota, at now: BootTime) -> Int {
        guard quota.unwatchedRoom(at: now) >= quota.unwatchedCost(unwatched: 1, watched: isAlone ? 0 : 1) else {
            return 0
        }
        // A call for a single address is used for a lookup only if no watched entry is due.
        let share = isAlone ? maximum : maximum / Limits.unwatchedShare
        return min(share, quota.unwatchedRoom(at: now))
    }

    /// Removes and returns entries from the front of one queue.
    ///
    /// - Parameter room: the number of addresses that the call can still hold. Each entry reduces it by one, and limits
    ///   it to the batch size that the entry permits, less the entries already taken from this queue.
    private static func dequeue(
        from queue: inout Schedule, atMost maximum: Int, room: inout Int, _ consecutiveFailures: (Int) -> UInt8
    ) -> [Int] {
        var dequeued: [Int] = []
        while dequeued.count < maximum, room > 0, let index = queue.first {
            let sizeLimit = maxBatchSize(afterFailures: consecutiveFailures(index))
            // The entry permits only smaller calls, so it waits until it is the first entry of a call.
            guard dequeued.count < sizeLimit else { break }
            queue.remove(index)
            dequeued.append(index)
            room = min(room - 1, sizeLimit - dequeued.count)
        }
        return dequeued
    }

    /// Returns the maximum size of a call with an address that was part of failed calls while the provider was
    /// otherwise healthy. The size halves with each failure after the first, until an address that makes the provider
    /// fail is called alone.
    static func maxBatchSize(afterFailures consecutiveFailures: UInt8) -> Int {
        consecutiveFailures <= 1
            ? Limits.addressesPerBatch : max(1, Limits.addressesPerBatch >> min(Int(consecutiveFailures) - 1, 7))
    }
}
