import RecordKeeping

/// The addresses that may count as lookups of users without administrative rights, by what a client can know.
struct CountedLookups {
    private struct Lookup {
        /// The time of the last request, and of the last call since then.
        var asked: Moment
        var called: Moment?
    }

    private var lookups: [IPAddress: Lookup] = [:]

    mutating func asked(_ addresses: [IPAddress], at now: Moment) {
        for address in addresses { lookups[address] = Lookup(asked: now) }
    }

    mutating func called(_ addresses: [IPAddress], at now: Moment) {
        for address in addresses { lookups[address]?.called = now }
    }

    /// Returns the number of addresses that may count: a lookup counts until its record has expired and is deleted. An
    /// address that is removed from the watch list while a request waits for it counts as well.
    ///
    /// - Parameters:
    ///   - addresses: addresses that are counted in addition.
    ///   - interval: the time for which a record is valid.
    mutating func count(
        besides addresses: [IPAddress], interval: Duration, on disk: SimulatedDisk, at now: Moment
    ) -> Int {
        lookups = lookups.filter { address, lookup in
            guard let called = lookup.called, called + interval + Self.slack < now else { return true }
            return disk.entry(address) != nil
        }
        return Set(lookups.keys).union(addresses).count { !disk.isWatched($0) }
    }

    /// The time that a call, and the commit after it, may take.
    private static let slack = Duration.seconds(120)
}
