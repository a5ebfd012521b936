import RecordKeeping

/// Checks of commits: their records, and their events.
extension Promises {
    /// Checks the records and events of a commit.
    ///
    /// - Parameter disk: the disk after the commit.
    mutating func committed(
        _ commit: Commit, _ disk: SimulatedDisk, _ machine: SimulatedMachine, at now: Moment
    ) throws(Violation) {
        if let mismatch = disk.mismatch { throw broken("each write matches the stored rows", mismatch, now) }
        for write in commit.writes {
            switch write {
            case .cohort(let id, _, _, _):
                for address in disk.addresses(of: id) { try scanned(address, disk, machine, at: now) }
            case .put(let key, _, cohort: .some): try scanned(key.address, disk, machine, at: now)
            case .event(let event):
                try note(event, at: now)
                if event.kind == .failed, let address = event.address {
                    try endpoints.reportedAsFailed(address, at: now)
                }
                history.committed(event, at: now)
            case .forgetHistory(let mark): try history.forgotten(through: mark, at: now)
            default: continue
            }
        }
    }

    /// Checks that a record of a remote provider was requested at least one interval after the record that it replaces.
    func checkSpan(
        of scan: Scan, _ address: IPAddress, _ machine: SimulatedMachine, at now: Moment
    ) throws(Violation) {
        guard scan.version == nil, let last = lastRemoteScan(of: address), last.age(at: now, on: machine) != nil else {
            return
        }
        let span = machine.moment(of: scan.at.boot) - last.moment
        // The same record may be written again, with a different label.
        guard span == .zero || span >= interval - last.error(on: machine) else {
            throw broken("no call before the interval ends", "\(address) has two records \(span) apart", now)
        }
    }

    /// Checks that a record belongs to its address, which the provider includes in each ordinary reverse name.
    func checkOwner(of scan: Scan, _ address: IPAddress, at now: Moment) throws(Violation) {
        guard let v4 = address.v4, let name = scan.answer.record?.reverse else { return }
        let label = name.prefix { $0 != "." }
        let numbers = label.split(separator: "-", omittingEmptySubsequences: false).map { UInt32($0) }
        // The names of unusual records contain no address.
        guard numbers.count == 4, !numbers.contains(nil) else { return }
        guard numbers == [24, 16, 8, 0].map({ v4 >> $0 & 0xFF }) else {
            throw broken("each address has its own record", "\(address) has the record of \(name)", now)
        }
    }
}
