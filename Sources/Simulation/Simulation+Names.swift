import RecordKeeping

/// Watched host names: changes by an administrator, and the checks of their entries.
extension Simulation {
    /// Sends a change of a watched name to the core. The connection of the client ends before the reply.
    mutating func change(_ body: Request.Body) throws(Violation) {
        guard run != nil else { return }
        lastConnection += 1
        let peer = PeerID(number: UInt64(lastConnection))
        let id = Request.ID(peer: peer, number: 1)
        try handle(.requested(Request(id: id, isByAdministrator: true, body: body)))
        if run != nil { try handle(.clientLeft(peer)) }
    }

    /// Checks that an address of the names is on the watch list on disk if, and only if, a watched name has it, a
    /// client has added it, or a file lists it. An address that no name has is left out if a file may list it, or a
    /// change by a client has not ended; `Promises.checkLists` checks the addresses of files.
    mutating func checkNames() throws(Violation) {
        guard plan.hasNames else { return }
        let (named, files) = (Set(disk.names.values.flatMap(\.addresses)), Set(plan.addresses.suffix(plan.listed)))
        for address in plan.addressesOfNames {
            let standing = promises.standing(of: address)
            let isNamed = named.contains(address)
            guard isNamed || !files.contains(address) && standing.isResolved else { continue }
            guard disk.isWatched(address) == (isNamed || standing.isWatched) else {
                throw broken(
                    "an entry of a name exists exactly while the name has the address",
                    "\(address), \(disk.isWatched(address) ? "watched" : "not watched")")
            }
            if isNamed, standing.isWatched { coverage.count("address of a client and a name") }
            if isNamed, listed.contains(address) { coverage.count("address of a file and a name") }
        }
    }

    /// Checks that a commit gives a name only the addresses in the last reply about it. If one family could not be
    /// queried, the name keeps the addresses of this family.
    func checkAnswers(in commit: Commit) throws(Violation) {
        var known = disk.names
        for write in commit.writes {
            switch write {
            case .removeName(let name): known[name] = nil
            case .putName(let saved):
                let (old, new) = (Set(known[saved.name]?.addresses ?? []), Set(saved.watch.addresses))
                known[saved.name] = saved.watch
                guard new != old else { continue }
                guard let reply = run?.nameReplies[saved.name], case .addresses(let addresses) = reply.answer,
                    new == old.filter({ $0.family == reply.unanswered }).union(addresses)
                else {
                    throw broken("a name has the addresses of the last reply", "\(saved.name) has \(new.sorted())")
                }
            default: continue
            }
        }
    }

    /// Checks at the end of the run that each watched name has its current addresses, or the last ones if it has none.
    mutating func checkNamesAtEnd() throws(Violation) {
        guard plan.hasNames else { return }
        try checkNames()
        for (name, watch) in disk.names {
            guard let addresses = resolver.names[name], addresses.count <= Limits.addressesPerName else {
                guard watch.failure != nil else { throw broken("a failing name is stale", "\(name) is not") }
                coverage.count("name stale at the end")
                continue
            }
            guard watch.addresses == addresses.sorted(), watch.failure == nil else {
                throw broken("each name is resolved again", "\(name) has \(watch.addresses), not \(addresses)")
            }
            coverage.count("name current at the end")
        }
    }
}
