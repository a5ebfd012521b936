/// What is past its deadline and not yet asked about, each queue with the most overdue first.
struct DueQueues: Sendable {
    enum Rank: CaseIterable, Hashable, Sendable {
        /// Watched, and somebody waits for it.
        case urgent
        /// Watched, a background refresh.
        case background
        /// Not watched, and asked for.
        case lookup
    }

    /// What goes into one call.
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

    /// - Parameter number: one that is in no queue.
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

    /// Somebody waits for it now: it goes before what nobody waits for.
    mutating func hurry(_ number: Int) {
        guard let since = background.deadline(of: number) else { return }
        background.remove(number)
        urgent.set(number, to: since)
    }

    /// Takes out what goes into the next call.
    ///
    /// Those who are waited for go first, but while others are overdue they get no more than two thirds, so that nobody can
    /// keep those waiting for ever; and of a quota window at most a third goes to what nobody watches.
    ///
    /// - Parameters:
    ///   - most: how many the call takes.
    ///   - quota: that of the endpoint which the call goes to.
    ///   - strikes: how often in a row a call with this one in it has failed.
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
        // A call for one address alone is the lookup's only if nothing that is watched wants it.
        let share = isAlone ? most : most / Limits.unwatchedShare
        return min(share, quota.unwatchedRoom(at: now))
    }

    /// - Parameter room: how many more the call takes; shrinks with each that is taken, and to the company that it may be in.
    private static func take(
        from queue: inout Schedule, atMost most: Int, room: inout Int, strikes: (Int) -> UInt8
    ) -> [Int] {
        var taken: [Int] = []
        while taken.count < most, room > 0, let number = queue.first {
            let company = companySize(afterStrikes: strikes(number))
            // With fewer others, or alone: in a call of its own, as soon as it is the first of one.
            guard taken.count < company else { break }
            queue.remove(number)
            taken.append(number)
            room = min(room - 1, company - taken.count)
        }
        return taken
    }

    /// How many addresses may be in a call with one that was in calls that failed while the provider was well: halved
    /// each time after the first, until the one that makes the provider fail is alone with its fault.
    static func companySize(afterStrikes strikes: UInt8) -> Int {
        strikes <= 1 ? Limits.addressesPerBatch : max(1, Limits.addressesPerBatch >> min(Int(strikes) - 1, 7))
    }
}
