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

    /// Checks that an address of the names is on the watch list on disk if, and only if, a watched name has it.
    func checkNames() throws(Violation) {
        guard plan.hasNames else { return }
        let named = Set(disk.names.values.flatMap(\.addresses))
        for address in Plan.addressesOfNames where disk.isWatched(address) != named.contains(address) {
            throw broken(
                "an entry of a name exists exactly while the name has the address",
                "\(address), \(named.contains(address) ? "not watched" : "watched")")
        }
    }

    /// Checks at the end of the run that each watched name has its current addresses, or the last ones if it has none.
    mutating func checkNamesAtEnd() throws(Violation) {
        guard plan.hasNames else { return }
        try checkNames()
        for (name, watch) in disk.names {
            guard let addresses = resolver.names[name] else {
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
