import RecordKeeping

/// The promises of local databases: a record is current until they change, and neither the age nor a route matters.
extension Promises {
    /// The source of the current process's records.
    enum Source: Hashable {
        case remote
        /// - Parameter version: the version in use; nil if no database can be read.
        case local(version: DataVersion.ID?)

        /// Returns whether a record of this version is current; nil if its age decides.
        func isCurrent(_ version: DataVersion.ID?) -> Bool? {
            switch self {
            case .remote: version == nil ? nil : false
            case .local(let current): version != nil && version == current
            }
        }
    }

    mutating func dataChanged(to version: DataVersion?, at now: Moment) {
        source = .local(version: version?.id)
        (dataChangedAt, dataReplacedAt) = (now, now)
    }

    /// Checks that a call to local databases is needed: no address has a record of the version in use.
    ///
    /// An address that was due before a change may be called after it, even if the databases are again those from which
    /// its record was read.
    mutating func calledLocally(
        _ call: Call, _ machine: SimulatedMachine, disk: SimulatedDisk, at now: Moment
    ) throws(Violation) {
        try began(call, machine, at: now)
        for address in call.addresses {
            guard let scan = disk.entry(address)?.scan, source.isCurrent(scan.version) == true else { continue }
            if let dataReplacedAt, let read = scans[address]?.moment, read <= dataReplacedAt { continue }
            throw broken("no call for a current record", "\(address) has a record of \(scan.provider)", now)
        }
    }
}
