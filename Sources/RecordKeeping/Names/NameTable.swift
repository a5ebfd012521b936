/// The watched names, the names of each address, and the time at which each name is resolved next.
///
/// A change to a name takes logarithmic time, so that the answers about all names can be applied in few turns.
struct NameTable: Sendable {
    enum Activity: Hashable, Sendable {
        /// The name waits for its next resolution, which is due at this time.
        case resting(until: BootTime)
        /// A resolution is in progress.
        case resolving
        /// The result of a resolution is not on disk yet.
        case committing
    }

    struct Row: Hashable, Sendable {
        /// The index of the name in `ids`, and its id in `schedule`.
        let id: Int
        var watch: WatchedName
        var activity: Activity
        /// The beginning of the last resolution; nil before the first one in this run.
        var began: BootTime?
        /// The number of consecutive failures.
        var attempts = 0
        /// The time of the last answer in this run; nil before the first one.
        var answered: BootTime?

        /// - Parameter interval: the time between two resolutions.
        func state(at now: BootTime, interval: Duration) -> NameState {
            guard watch.answeredAt != nil else { return watch.failure == nil ? .loading : .failed }
            guard watch.failure == nil, let answered else { return .stale }
            return now - answered < interval + Limits.maxResolution ? .fresh : .stale
        }
    }

    private(set) var rows: [HostName: Row] = [:]
    /// The names of each address.
    private var holders: [IPAddress: Set<HostName>] = [:]
    /// The names that are being resolved, including names that have been removed in the meantime. Each of them occupies
    /// a thread of the resolver.
    private(set) var inFlight: Set<HostName> = []
    /// The times at which names that wait for their resolutions are due. Names that are due at the same time are
    /// resolved in the order of their ids.
    private var schedule = Schedule()
    /// The name of each id; nil for an unused id.
    private var ids: [HostName?] = []
    private var unusedIDs: [Int] = []

    var count: Int { rows.count }

    /// The time at which the next resolution is due; nil if no name waits for its time, or too many resolutions are in
    /// progress, so that the end of one of them begins the next.
    var nextDeadline: BootTime? { inFlight.count < Limits.resolutionsInFlight ? schedule.earliest : nil }

    subscript(name: HostName) -> Row? { rows[name] }

    /// Returns the number of names that have the address.
    func holders(of address: IPAddress) -> Int { holders[address]?.count ?? 0 }

    /// The addresses of all names.
    var addresses: some Collection<IPAddress> { holders.keys }

    // MARK: Changes on disk

    /// Applies a name that is on disk. A new name is due at once.
    mutating func set(_ name: HostName, to watch: WatchedName, at now: BootTime) {
        let old = rows[name]?.watch.addresses ?? []
        if old != watch.addresses {
            for address in old { release(address, from: name) }
            for address in watch.addresses { holders[address, default: []].insert(name) }
        }
        if rows[name] == nil {
            rows[name] = Row(id: useID(for: name), watch: watch, activity: .resting(until: now))
            reschedule(name)
        } else {
            rows[name]?.watch = watch
        }
    }

    /// Removes a name, on disk already.
    mutating func remove(_ name: HostName) {
        guard let row = rows.removeValue(forKey: name) else { return }
        for address in row.watch.addresses { release(address, from: name) }
        schedule.remove(row.id)
        ids[row.id] = nil
        unusedIDs.append(row.id)
    }

    private mutating func useID(for name: HostName) -> Int {
        guard let id = unusedIDs.popLast() else {
            ids.append(name)
            return ids.count - 1
        }
        ids[id] = name
        return id
    }

    private mutating func release(_ address: IPAddress, from name: HostName) {
        holders[address]?.remove(name)
        if holders[address]?.isEmpty == true { holders[address] = nil }
    }

    // MARK: Resolutions

    /// Begins the next resolution that is due, unless `Limits.resolutionsInFlight` are in progress.
    ///
    /// - Returns: its name; nil if none begins.
    mutating func beginResolution(at now: BootTime) -> HostName? {
        guard inFlight.count < Limits.resolutionsInFlight, let id = schedule.popDue(at: now), let name = ids[id]
        else { return nil }
        inFlight.insert(name)
        rows[name]?.activity = .resolving
        rows[name]?.began = now
        return name
    }

    /// Updates the schedule after the activity of a name has changed, or its resolution has ended.
    private mutating func reschedule(_ name: HostName) {
        guard let row = rows[name] else { return }
        if let due = deadline(of: name) { schedule.set(row.id, to: due) } else { schedule.remove(row.id) }
    }

    /// The time at which a name that waits for its resolution is due; nil for other names.
    private func deadline(of name: HostName) -> BootTime? {
        guard case .resting(let due) = rows[name]?.activity, !inFlight.contains(name) else { return nil }
        return due
    }

    /// Ends the resolution of a name. If its result is not used, the name is due again.
    mutating func endResolution(of name: HostName, at now: BootTime) {
        inFlight.remove(name)
        if rows[name]?.activity == .resolving { rows[name]?.activity = .resting(until: now) }
        reschedule(name)
    }

    /// Records that the result of a resolution waits for its commit.
    mutating func commit(_ name: HostName) {
        rows[name]?.activity = .committing
        reschedule(name)
    }

    /// Makes the names due again whose results wait for a commit, because these results are dropped.
    mutating func dropResults(at now: BootTime) {
        for (name, row) in rows where row.activity == .committing {
            rows[name]?.activity = .resting(until: now)
            reschedule(name)
        }
    }

    /// Lets a name rest after an answer.
    ///
    /// - Parameters:
    ///   - answeredAt: the time of the answer.
    ///   - interval: the time between the beginnings of two resolutions.
    mutating func rest(_ name: HostName, answeredAt: WallTime, interval: Duration, at now: BootTime) {
        guard var row = rows[name] else { return }
        row.watch.answeredAt = answeredAt
        (row.attempts, row.answered) = (0, now)
        row.activity = .resting(until: max(now, (row.began ?? now) + interval))
        rows[name] = row
        reschedule(name)
    }

    /// Lets a name rest after a failure.
    ///
    /// - Parameter delay: returns the time until the next attempt after this many failures.
    mutating func restAfterFailure(_ name: HostName, at now: BootTime, delay: (_ attempts: Int) -> Duration) {
        guard var row = rows[name] else { return }
        row.attempts += 1
        row.activity = .resting(until: now + delay(row.attempts))
        rows[name] = row
        reschedule(name)
    }

    // MARK: Invariants

    /// Returns a description of each invariant that does not hold.
    func checkInvariants() -> [String] {
        var (broken, counted): ([String], [IPAddress: Set<HostName>]) = ([], [:])
        for (name, row) in rows {
            for address in row.watch.addresses { counted[address, default: []].insert(name) }
            if ids[row.id] != name { broken.append("\(name) does not have its id") }
            if schedule.deadline(of: row.id) != deadline(of: name) { broken.append("the deadline of \(name) is wrong") }
            if row.activity == .resolving, !inFlight.contains(name) { broken.append("\(name) is not being resolved") }
            if row.watch.addresses != Set(row.watch.addresses).sorted() {
                broken.append("the addresses of \(name) are not in order")
            }
            if row.watch.addresses.count > Limits.addressesPerName { broken.append("\(name) has too many addresses") }
        }
        if schedule.count != rows.keys.count(where: { deadline(of: $0) != nil }) {
            broken.append("a name that does not wait for its resolution is scheduled")
        }
        if ids.count - unusedIDs.count != rows.count { broken.append("an id of a name is in use, but has no name") }
        if counted != holders { broken.append("the names of the addresses do not match the addresses of the names") }
        if rows.count > Limits.watchedNames { broken.append("\(rows.count) names are watched") }
        if inFlight.count > Limits.resolutionsInFlight { broken.append("\(inFlight.count) names are being resolved") }
        return broken
    }
}
