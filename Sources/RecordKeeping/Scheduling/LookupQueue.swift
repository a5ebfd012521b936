import DequeModule

/// The lookups that are due, as slot indices.
///
/// Lookups with a waiting caller come first. In both groups, lookups of administrators come before those of other
/// users. Other users take turns: each gets one lookup per round, regardless of how many lookups it has queued. This is
/// start-time fair queueing (Goyal, Vin and Cheng, 1996) with lookups of equal cost.
struct LookupQueue: Sendable {
    /// The groups of lookups, in the order in which they are sent.
    enum Group: Int, CaseIterable, Sendable {
        case awaitedByAdministrator, awaited, ofAdministrator, other

        init(of requester: Requester, isAwaited: Bool) {
            self =
                isAwaited
                ? requester.isAdministrator ? .awaitedByAdministrator : .awaited
                : requester.isAdministrator ? .ofAdministrator : .other
        }

        var isAwaited: Bool { self == .awaitedByAdministrator || self == .awaited }
    }

    /// The queued lookups of a user, which have consecutive rounds.
    private struct Turns {
        /// The round of the first lookup.
        var first: Int64
        var indices: Deque<Int> = []

        var end: Int64 { first + Int64(indices.count) }
    }

    /// The rounds of one group.
    private struct Rounds {
        /// The round of the last lookup that left the queue for a call. No queued lookup has an earlier round.
        var current: Int64 = 0
        /// The turns of each user with queued lookups.
        var turns: [UInt32: Turns] = [:]

        func next(of user: UInt32) -> Int64 { turns[user]?.end ?? current + 1 }
    }

    /// The lookups in order of group and round, which `key(_:round:)` combines.
    private var queue = Schedule()
    private var rounds = [Rounds](repeating: Rounds(), count: Group.allCases.count)
    private static let roundBits = 56
    /// The user in whose turn each lookup is sent.
    private var users: [Int: UInt32] = [:]
    /// The number of lookups with a waiting caller.
    private(set) var awaited = 0

    var count: Int { queue.count }
    var isEmpty: Bool { queue.isEmpty }
    /// The lookup that is sent next; nil if the queue is empty.
    var first: Int? { queue.first }

    func contains(_ index: Int) -> Bool { queue.contains(index) }

    /// Returns whether the queue contains the lookup, and a caller waits for it.
    func isAwaited(_ index: Int) -> Bool { group(of: index)?.isAwaited ?? false }

    /// Adds a lookup in the next free round of its user.
    ///
    /// - Parameter index: must not be in the queue.
    mutating func add(_ index: Int, for requester: Requester, isAwaited: Bool) {
        put(index, Group(of: requester, isAwaited: isAwaited), of: requester.user)
    }

    /// Raises the priority of a lookup, because a caller waits for it. Does nothing if the lookup already has an
    /// earlier position.
    mutating func hurry(_ index: Int, for requester: Requester) {
        let group = Group(of: requester, isAwaited: true)
        let round = rounds[group.rawValue].next(of: requester.user)
        guard let key = queue.deadline(of: index), Self.key(group, round: round) < key else { return }
        withdraw(index)
        put(index, group, of: requester.user)
    }

    /// Lowers the priority of a lookup, because no caller waits for it any more.
    mutating func relax(_ index: Int, for requester: Requester) {
        guard let group = group(of: index), group.isAwaited else { return }
        withdraw(index)
        add(index, for: requester, isAwaited: false)
    }

    mutating func remove(_ index: Int) {
        withdraw(index)
        if queue.isEmpty { rounds = rounds.map { _ in Rounds() } }
    }

    /// Removes a lookup that is sent, and begins its round.
    ///
    /// - Parameter index: the first lookup of the queue.
    mutating func dequeue(_ index: Int) {
        if let key = queue.deadline(of: index), let group = group(of: index), let user = users[index] {
            let round = Self.round(key)
            rounds[group.rawValue].current = round
            // The user's other lookups keep their rounds.
            if rounds[group.rawValue].turns[user]?.first == round {
                rounds[group.rawValue].turns[user]?.first += 1
                _ = rounds[group.rawValue].turns[user]?.indices.popFirst()
                forget(index, group, of: user)
            }
        }
        remove(index)
    }

    /// The lookups of users without administrative rights, in reverse order, so that those without a waiting caller
    /// come first.
    var fromTheEnd: [Int] {
        queue.latest(notBefore: Self.key(.awaited, round: 0)).filter { group(of: $0) != .ofAdministrator }
    }

    private mutating func put(_ index: Int, _ group: Group, of user: UInt32) {
        let round = rounds[group.rawValue].next(of: user)
        rounds[group.rawValue].turns[user, default: Turns(first: round)].indices.append(index)
        queue.set(index, to: Self.key(group, round: round))
        users[index] = user
        if group.isAwaited { awaited += 1 }
    }

    /// Removes a lookup that is not sent. The last lookup of its user takes over its round. Otherwise, a user whose
    /// lookups were withdrawn would wait for the rounds of these lookups.
    private mutating func withdraw(_ index: Int) {
        guard let key = queue.deadline(of: index), let group = group(of: index), let user = users[index],
            let first = rounds[group.rawValue].turns[user]?.first,
            let last = rounds[group.rawValue].turns[user]?.indices.popLast()
        else { return }
        if last != index {
            rounds[group.rawValue].turns[user]?.indices[Int(Self.round(key) - first)] = last
            queue.set(last, to: key)
        }
        forget(index, group, of: user)
    }

    /// Removes a lookup from the queue after it was removed from its user's turns.
    private mutating func forget(_ index: Int, _ group: Group, of user: UInt32) {
        if rounds[group.rawValue].turns[user]?.indices.isEmpty == true { rounds[group.rawValue].turns[user] = nil }
        if group.isAwaited { awaited -= 1 }
        users[index] = nil
        queue.remove(index)
    }

    private func group(of index: Int) -> Group? {
        queue.deadline(of: index).flatMap { Group(rawValue: Int($0.nanoseconds >> Self.roundBits)) }
    }

    private static func round(_ key: BootTime) -> Int64 { key.nanoseconds & (1 << roundBits - 1) }

    private static func key(_ group: Group, round: Int64) -> BootTime {
        BootTime(nanoseconds: Int64(group.rawValue) << roundBits + round)
    }
}
