/// A client on whose behalf an address is looked up.
struct Requester: Hashable, Sendable {
    let user: UInt32
    let isAdministrator: Bool
}

extension Request {
    var requester: Requester { Requester(user: user, isAdministrator: isByAdministrator) }
}

/// The clients that began the lookups, by slot index. A lookup counts against the limit until its entry is removed or
/// watched. Entries that were removed from the watch list while their records were fresh do not count.
struct LookupOwners: Sendable {
    private var owners: [Int: Requester] = [:]
    /// The number of lookups of each user who is not an administrator.
    private var countByUser: [UInt32: Int] = [:]
    /// The number of lookups of all users who are not administrators.
    private(set) var count = 0

    var isEmpty: Bool { owners.isEmpty }
    var indices: some Collection<Int> { owners.keys }

    subscript(index: Int) -> Requester? { owners[index] }

    func count(of user: UInt32) -> Int { countByUser[user] ?? 0 }

    /// Returns the number of lookups that a user may have while no lookups are left: an equal share for this user and
    /// every other user with lookups.
    ///
    /// - Parameter capacity: the maximum number of lookups of all users in total.
    func fairShare(of user: UInt32, in capacity: Int) -> Int {
        capacity / (countByUser.count + (countByUser[user] == nil ? 1 : 0))
    }

    mutating func add(_ index: Int, _ requester: Requester) {
        remove(index)
        owners[index] = requester
        guard !requester.isAdministrator else { return }
        count += 1
        countByUser[requester.user, default: 0] += 1
    }

    mutating func remove(_ index: Int) {
        guard let requester = owners.removeValue(forKey: index), !requester.isAdministrator else { return }
        count -= 1
        let left = count(of: requester.user) - 1
        countByUser[requester.user] = left > 0 ? left : nil
    }
}
