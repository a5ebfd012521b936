/// The entries that are past their deadline and not yet in a call, as slot numbers. Each queue has the most overdue
/// entry first.
struct DueQueues: Sendable {
    enum Rank: CaseIterable, Hashable, Sendable {
        /// Watched, and a caller waits for the record.
        case urgent
        /// Watched, without a waiting caller.
        case background
        /// Not watched, and requested by a client.
        case lookup
    }

    /// The entries of one call, as slot numbers.
    struct Party: Hashable, Sendable {
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

    /// - Parameter number: must not be in any queue.
    mutating func add(_ number: Int, _ rank: Rank, since: BootTime) {
        switch rank {
        case .urgent: urgent.set(number, to: since)
        case .background: background.set(number, to: since)
        case .lookup: lookups.set(number, to: since)
        }
    }

    mutating func remove(_ number: Int) {
        urgent.remove(number)
        background.remove(number)
        lookups.remove(number)
    }

    /// Moves a background refresh to the urgent queue, because a caller waits for it. It keeps its deadline.
    mutating func hurry(_ number: Int) {
        guard let since = background.deadline(of: number) else { return }
        background.remove(number)
        urgent.set(number, to: since)
    }

    /// Removes and returns the entries for the next call.
    ///
    /// Entries with a waiting caller come first. If background refreshes are due, those entries get at most two thirds
    /// of the call before lookups and background refreshes are added, so that clients cannot delay refreshes forever.
    /// At most a third of a quota window goes to addresses that are not watched.
    ///
    /// - Parameters:
    ///   - most: the maximum number of addresses in the call.
    ///   - quota: the quota of the endpoint that is called.
    ///   - strikes: returns the number of consecutive failed calls that an entry was part of.
    mutating func take(
        atMost most: Int, for quota: Quota, at now: BootTime, strikes: (Int) -> UInt8
    ) -> Party {
        var party = Party()
        var room = most
        let isAlone = urgent.isEmpty && background.isEmpty
        let urgentShare = background.isEmpty ? most : max(1, most * 2 / 3)
        party.watched += Self.take(from: &urgent, atMost: urgentShare, room: &room, strikes: strikes)
        let lookupShare = lookupShare(of: most, isAlone: isAlone, quota, at: now)
        party.unwatched += Self.take(from: &lookups, atMost: lookupShare, room: &room, strikes: strikes)
        party.watched += Self.take(from: &background, atMost: most, room: &room, strikes: strikes)
        party.watched += Self.take(from: &urgent, atMost: most, room: &room, strikes: strikes)
        return party
    }

    private func lookupShare(of most: Int, isAlone: Bool, _ quota: Quota, at now: BootTime) -> Int {
        guard quota.unwatchedRoom(at: now) >= quota.unwatchedCost(unwatched: 1, watched: isAlone ? 0 : 1) else {
            return 0
        }
        // A call for a single address is used for a lookup only if no watched entry is due.
        let share = isAlone ? most : most / Limits.unwatchedShare
        return min(share, quota.unwatchedRoom(at: now))
    }

    /// Removes and returns entries from the front of one queue.
    ///
    /// - Parameter room: the number of addresses that the call can still hold. Each entry reduces it by one, and limits
    ///   it to the batch size that the entry permits, less the entries already taken from this queue.
    private static func take(
        from queue: inout Schedule, atMost most: Int, room: inout Int, strikes: (Int) -> UInt8
    ) -> [Int] {
        var taken: [Int] = []
        while taken.count < most, room > 0, let number = queue.first {
            let company = companySize(afterStrikes: strikes(number))
            // The entry permits only smaller calls, so it waits until it is the first of one.
            guard taken.count < company else { break }
            queue.remove(number)
            taken.append(number)
            room = min(room - 1, company - taken.count)
        }
        return taken
    }

    /// Returns the maximum size of a call with an address that was part of failed calls while the provider was
    /// otherwise healthy. The size halves with each failure after the first, until an address that makes the provider
    /// fail is called alone.
    static func companySize(afterStrikes strikes: UInt8) -> Int {
        strikes <= 1 ? Limits.addressesPerBatch : max(1, Limits.addressesPerBatch >> min(Int(strikes) - 1, 7))
    }
}
