import ProviderModel
import RecordKeeping

/// The end of the run: all faults end, and the final checks follow.
extension Simulation {
    /// Ends all faults, and schedules the final checks.
    mutating func beQuiet() throws(Violation) {
        isQuiet = true
        note("all faults end")
        for number in providers.indices { providers[number].heal(at: now) }
        resolver.heal()
        disk.heal(at: now)
        if databases.version == nil { replaceDatabases(with: 1) }
        eventQueue.add(.end, at: now + liveness)
    }

    /// The time within which all records must be fresh: the remaining time of faults that have begun, both backoffs at
    /// their maximum, the quota windows that the whole list needs, and three intervals.
    private var liveness: Duration {
        let outage = Duration.seconds(plan.isLarge ? 600 : 7_200)
        return outage + .seconds(120) + plan.interval * (plan.isLarge ? 1 : 3) + .seconds(62) * (windows + 1)
    }

    /// The number of quota windows that the whole list needs.
    private var windows: Int {
        switch provider.character.kind {
        case .paid: 1
        case .free: plan.addresses.count / (15 * 100) + 1
        case .undocumented: plan.addresses.count / (max(1, provider.model.quota(of: .batch) ?? 15) * 100) + 1
        }
    }

    mutating func checkEnd() throws(Violation) {
        hasEnded = true
        guard run != nil else {
            throw broken("the daemon is running at the end", "it did not restart")
        }
        try promises.checkDisk(disk, at: now)
        // If the last reload found no addresses, it may have been refused.
        if !listed.isEmpty || listedThen != nil {
            try promises.checkLists(listed, of: plan.addresses.suffix(plan.listed), disk: disk, at: now)
        }
        let named = Set(disk.names.values.flatMap(\.addresses))
        try promises.checkFresh(listed.union(named), within: .seconds(62) * windows + .seconds(15), at: now)
        try promises.history.checkJournal(at: now)
        try promises.checkOutages(disk.outages(before: nil, limit: .max), at: now)
        try checkNamesAtEnd()
        coverage.count("all records fresh at the end")
    }
}
