import RecordKeeping

/// The promises about pins, lists and outages.
extension Promises {
    /// Handles a request to set or remove pins, before its reply.
    mutating func askedToPin(_ addresses: Set<IPAddress>) {
        for address in addresses {
            pins[address, default: Standing()].begin()
            changesWhenPinned[address] = standing(of: address).changes
        }
    }

    /// Handles the reply to a request to set or remove pins, and checks that an acknowledged change is on disk.
    ///
    /// - Parameter isPinned: the acknowledged state; nil if the request was refused.
    mutating func answeredPin(
        _ addresses: Set<IPAddress>, isPinned: Bool?, disk: SimulatedDisk, at now: Moment
    ) throws(Violation) {
        for address in addresses.sorted() {
            pins[address, default: Standing()].end(isPinned)
            let watch = standing(of: address)
            guard let isPinned, let pin = pins[address], pin.isAlone, !pin.isUncertain, watch.isResolved,
                watch.isWatched,
                changesWhenPinned[address] == watch.changes
            else { continue }
            guard disk.entry(address)?.watch?.isPinned == isPinned else {
                throw broken("an acknowledged change is on disk", "the pin of \(address) differs from the reply", now)
            }
        }
    }

    /// Handles the loss of the connection before the reply.
    mutating func lostPin(_ addresses: Set<IPAddress>, mayComeLate: Bool) {
        for address in addresses { pins[address, default: Standing()].loseAnswer(mayComeLate: mayComeLate) }
    }

    /// The addresses that are certainly on the list, each with the number of changes so far to the address and to its
    /// pin.
    var untouched: [IPAddress: Int] {
        standings.filter { $0.value.isResolved && $0.value.isWatched && pins[$0.key]?.isResolved ?? true }
            .reduce(into: [:]) { $0[$1.key] = changes(of: $1.key) }
    }

    private func changes(of address: IPAddress) -> Int {
        standing(of: address).changes + (pins[address]?.changes ?? 0)
    }

    /// Checks that a list contains each expected entry exactly once, unless it was changed in the meantime.
    func checkList(_ listed: [IPAddress], _ expected: [IPAddress: Int], at now: Moment) throws(Violation) {
        var times: [IPAddress: Int] = [:]
        for address in listed { times[address, default: 0] += 1 }
        // An entry that is pinned in the meantime moves to the beginning, which has already been sent.
        for (address, before) in expected.sorted(by: { $0.key < $1.key }) where changes(of: address) == before {
            guard times[address] == 1 else {
                throw broken("a list contains each entry once", "\(address) appears \(times[address] ?? 0) times", now)
            }
        }
    }

    /// Checks that the outages include every network loss and are numbered without gaps, and that at most one of them
    /// is ongoing.
    func checkOutages(_ outages: [Outage], at now: Moment) throws(Violation) {
        let numbers = outages.map(\.number).sorted()
        let first = history.lastForgottenOutage + 1
        let kept = outages.count(where: { $0.cause == .network })
        guard numbers == Array(first..<first + Int64(numbers.count)), outages.count(where: { $0.until == nil }) <= 1,
            outages.allSatisfy({ outage in outage.until.map { $0 >= outage.since } ?? true }),
            first == 1 ? kept == losses : kept <= losses
        else {
            throw broken(
                "every outage is recorded", "\(losses) losses; last outages: \(outages.suffix(4))", now)
        }
    }

    /// Checks that every watched address has a fresh record, after all faults have ended.
    ///
    /// - Parameter slack: the permitted age of a record beyond the interval.
    func checkFresh(
        _ listed: Set<IPAddress>, within slack: Duration, at now: Moment
    ) throws(Violation) {
        let watched = standings.filter { $0.value.isResolved && $0.value.isWatched }.map(\.key)
        for address in listed.union(watched).sorted() {
            guard SpecialPurpose(holding: address) == nil else { continue }
            let scan = scans[address]
            guard let scan, source.isCurrent(scan.version) ?? (now - scan.moment < interval + slack) else {
                let last = scans[address].map { "\($0.moment)" } ?? "never"
                throw broken("all records are fresh after the faults end", "last record of \(address): \(last)", now)
            }
        }
    }
}
