import RecordKeeping

/// The promises about the order of calls: the most overdue refreshes come first. Among the lookups, those that a client
/// waits for come first. Of these, those of administrators precede those of other users, who take turns.
extension Promises {
    /// Checks that a call contains the addresses that come first.
    ///
    /// - Parameter waiting: the addresses that certainly waited before the call.
    func checkOrder(
        of call: Call, _ waiting: [Waiting], disk: SimulatedDisk, coverage: inout Coverage, at now: Moment
    ) throws(Violation) {
        let called = Set(call.addresses)
        let left = waiting.filter { !called.contains($0.address) }
        for rank in [Waiting.Rank.urgent, .background] {
            let deadlines = { (some: [Waiting]) in some.lazy.filter { $0.rank == rank }.compactMap(\.deadline) }
            guard let last = deadlines(waiting.filter { called.contains($0.address) }).max(),
                let first = deadlines(left).min()
            else { continue }
            coverage.count("checked: order of \(rank) refreshes")
            // The daemon derives deadlines of earlier boots from whole milliseconds.
            guard first + .milliseconds(5) >= last else {
                throw broken(
                    "the provider is asked about the most overdue address first",
                    "an address due at \(last) was called before one due at \(first)", now)
            }
        }
        let awaited = left.filter { $0.rank == .lookup }
        guard let example = awaited.first else { return }
        let lookups = call.addresses.filter { isLookup($0, disk: disk, at: now) }
        coverage.count("checked: order of lookups")
        if let other = lookups.first(where: { openRequests.naming($0).isEmpty }) {
            throw broken(
                "a lookup that a client waits for comes first", "\(other) was called before \(example.address)", now)
        }
        if let first = awaited.first(where: \.isForAdministrator) {
            coverage.count("checked: order of an administrator's lookups")
            if let other = lookups.first(where: { !openRequests.askers(of: $0).hasAdministrator }) {
                throw broken(
                    "an administrator's lookup comes first", "\(other) was called before \(first.address)", now)
            }
            return
        }
        try checkTurns(in: call, lookups, awaited, coverage: &coverage, at: now)
    }

    /// Checks that users take turns: no user has many lookups in a call while another user, who has few in it, waits.
    ///
    /// - Parameter lookups: the addresses in the call that are certainly lookups.
    private func checkTurns(
        in call: Call, _ lookups: [IPAddress], _ left: [Waiting], coverage: inout Coverage, at now: Moment
    ) throws(Violation) {
        // The minimum and maximum number of each user's lookups: several users may have asked for the same address.
        var (minimum, maximum): ([UInt32: Int], [UInt32: Int]) = ([:], [:])
        for address in call.addresses {
            for user in openRequests.askers(of: address).users { maximum[user, default: 0] += 1 }
        }
        for address in lookups {
            let askers = openRequests.askers(of: address)
            guard !askers.hasAdministrator else { continue }
            if askers.users.count == 1, let user = askers.users.first { minimum[user, default: 0] += 1 }
        }
        for waiting in left {
            let askers = openRequests.askers(of: waiting.address)
            guard !askers.hasAdministrator, askers.users.count == 1, let user = askers.users.first else { continue }
            for (other, count) in minimum.sorted(by: { $0.key < $1.key }) where other != user {
                coverage.count("checked: turns of users")
                let own = maximum[user, default: 0]
                guard count <= own + 2 else {
                    throw broken(
                        "users take turns with their lookups",
                        "a call contains \(count) lookups of user \(other) and \(own) of user \(user)", now)
                }
            }
        }
    }
}
