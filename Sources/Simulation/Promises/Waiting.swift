import RecordKeeping

/// An address that certainly waits for a call, as far as can be seen from outside the daemon.
struct Waiting {
    enum Rank: CaseIterable {
        /// The address is watched, its record has expired, and a client waits for the next one.
        case urgent
        /// The address is watched, its record has expired, and no client waits.
        case background
        /// The address is not watched, and a client waits for its record.
        case lookup
    }

    let address: IPAddress
    /// Nil for a refresh if it is not certain whether the daemon lets a client wait for it.
    let rank: Rank?
    /// The time since which the address certainly waits.
    let since: Moment
    /// The time at which the record of a watched address expired; nil if it has none, or if the address is not watched.
    var deadline: Moment?
    /// Whether an administrator certainly waits for the address.
    var isForAdministrator = false
}

/// The addresses that certainly wait for calls. Others may also wait.
extension Promises {
    /// The minimum wait of a request that the daemon certainly keeps open: it exceeds all backoffs and windows.
    private static let longWait = Duration.seconds(90)
    /// The maximum time from a call to the end of its effects on an address.
    private static let ending = Duration.seconds(25)

    func waiting(
        among addresses: [IPAddress], _ conditions: Conditions, disk: SimulatedDisk, machine: SimulatedMachine,
        at now: Moment
    ) -> [Waiting] {
        addresses.compactMap { waiting($0, conditions, disk: disk, machine: machine, at: now) }
    }

    private func waiting(
        _ address: IPAddress, _ conditions: Conditions, disk: SimulatedDisk, machine: SimulatedMachine, at now: Moment
    ) -> Waiting? {
        guard inFlight[address] == nil else { return nil }
        let applied = disk.lastWrite(of: address) + Self.applying
        let entry = disk.entry(address)
        guard now > applied, entry?.failure == nil, SpecialPurpose(holding: address) == nil else { return nil }
        if entry?.watch == nil { return lookup(of: address, applied: applied, conditions, at: now) }
        var since = max(applied, conditions.upSince)
        let open = openRequests.naming(address)
        guard entry?.scan != nil, let scan = scans[address] else {
            guard lastSent[address] == nil, since < now else { return nil }
            return Waiting(address: address, rank: open.isEmpty ? .background : nil, since: since)
        }
        // If the record is not from the last call, that call failed, and the address has another place in the queue.
        let deadline = scan.moment + interval
        guard scan.age(at: now, on: machine) != nil, lastSent[address].map({ $0 <= scan.moment }) ?? true else {
            return nil
        }
        since = max(since, deadline + .milliseconds(5))
        guard since < now else { return nil }
        let isUrgent = open.contains { $0.since > since && $0.wait >= Self.longWait }
        return Waiting(
            address: address, rank: open.isEmpty ? .background : isUrgent ? .urgent : nil, since: since,
            deadline: deadline)
    }

    private func lookup(
        of address: IPAddress, applied: Moment, _ conditions: Conditions, at now: Moment
    ) -> Waiting? {
        let open = openRequests.naming(address).filter { request in
            request.since < now && request.since > conditions.upSince && request.wait >= Self.longWait
                && lastSent[address].map { $0 + Self.ending < request.since && $0 <= scans[address]?.moment ?? .start }
                    ?? true
                && scans[address].map { $0.moment + interval + Self.applying < request.since } ?? true
        }
        guard let since = open.map(\.since).min() else { return nil }
        return Waiting(
            address: address, rank: .lookup, since: max(since, applied),
            isForAdministrator: open.contains(where: \.isAdministrator))
    }

    /// Whether the address is certainly not watched, and no client waits for it.
    func isUnawaitedLookup(_ address: IPAddress, disk: SimulatedDisk, at now: Moment) -> Bool {
        isLookup(address, disk: disk, at: now) && openRequests.naming(address).isEmpty
    }

    func isLookup(_ address: IPAddress, disk: SimulatedDisk, at now: Moment) -> Bool {
        !disk.isWatched(address) && now > disk.lastWrite(of: address) + Self.applying
    }
}
