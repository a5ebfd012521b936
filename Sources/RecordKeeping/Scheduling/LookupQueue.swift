/// The lookups that are due, as slot indices.
///
/// Lookups with a waiting caller come first, and within both groups those of administrators. Other users take turns:
/// each gets one lookup per round, regardless of how many lookups it has queued. This is start-time fair queueing
/// (Goyal, Vin and Cheng, 1996) with lookups of equal cost.
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

    /// The rounds of one group.
    private struct Rounds {
        /// The round of the last lookup that left the queue for a call.
        var current: Int64 = 0
        /// The round of each user's last queued lookup. Rounds up to `current` no longer matter.
        var last: [UInt32: Int64] = [:]

        func next(of user: UInt32) -> Int64 { max(current, last[user] ?? 0) + 1 }
    }

    /// The lookups in order of group and round, which `key(_:round:)` combines.
    private var queue = Schedule()
    private var rounds = [Rounds](repeating: Rounds(), count: Group.allCases.count)
    private static let roundBits = 56
    /// The number of lookups with a waiting caller.
    private(set) var awaited = 0

    var count: Int { queue.count }
    var isEmpty: Bool { queue.isEmpty }
    /// The lookup that is sent next; nil if the queue is empty.
    var first: Int? { queue.first }

    func contains(_ index: Int) -> Bool { queue.contains(index) }

    /// Adds a lookup in the next free round of its user.
    ///
    /// - Parameter index: must not be in the queue.
    mutating func add(_ index: Int, for requester: Requester, isAwaited: Bool) {
        let group = Group(of: requester, isAwaited: isAwaited)
        let round = rounds[group.rawValue].next(of: requester.user)
        put(index, group, round, of: requester.user)
    }

    /// Moves a lookup forward, because a caller waits for it. Does nothing if it has an earlier place.
    mutating func hurry(_ index: Int, for requester: Requester) {
        let group = Group(of: requester, isAwaited: true)
        let round = rounds[group.rawValue].next(of: requester.user)
        guard let key = queue.deadline(of: index), Self.key(group, round: round) < key else { return }
        put(index, group, round, of: requester.user)
    }

    /// Moves a lookup back, because no caller waits for it any more.
    mutating func relax(_ index: Int, for requester: Requester) {
        guard let group = group(of: index), group.isAwaited else { return }
        add(index, for: requester, isAwaited: false)
    }

    mutating func remove(_ index: Int) {
        if group(of: index)?.isAwaited == true { awaited -= 1 }
        queue.remove(index)
        if queue.isEmpty { rounds = rounds.map { _ in Rounds() } }
    }

    /// Removes a lookup that is sent, and begins its round.
    mutating func dequeue(_ index: Int) {
        if let key = queue.deadline(of: index), let group = group(of: index) {
            rounds[group.rawValue].current = key.nanoseconds & (1 << Self.roundBits - 1)
        }
        remove(index)
    }

    /// Returns the lookups without a waiting caller that would be sent last, the last first. Lookups of administrators
    /// are not included.
    func last(_ count: Int) -> [Int] {
        queue.latest(count, notBefore: Self.key(.other, round: 0))
    }

    private mutating func put(_ index: Int, _ group: Group, _ round: Int64, of user: UInt32) {
        if self.group(of: index)?.isAwaited == true { awaited -= 1 }
        if group.isAwaited { awaited += 1 }
        queue.set(index, to: Self.key(group, round: round))
        let current = rounds[group.rawValue].current
        if rounds[group.rawValue].last.count >= Limits.lookedUpAddresses {
            rounds[group.rawValue].last = rounds[group.rawValue].last.filter { $0.value > current }
        }
        rounds[group.rawValue].last[user] = round
    }

    private func group(of index: Int) -> Group? {
        queue.deadline(of: index).flatMap { Group(rawValue: Int($0.nanoseconds >> Self.roundBits)) }
    }

    private static func key(_ group: Group, round: Int64) -> BootTime {
        BootTime(nanoseconds: Int64(group.rawValue) << roundBits + round)
    }
}
