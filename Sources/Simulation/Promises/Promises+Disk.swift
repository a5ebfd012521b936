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
            case .cohort(let id, _, _):
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

    /// Checks the record of an address after a commit that has written the record or its time.
    private mutating func scanned(
        _ address: IPAddress, _ disk: SimulatedDisk, _ machine: SimulatedMachine, at now: Moment
    ) throws(Violation) {
        // The same commit may have removed it.
        guard let scan = disk.entry(address)?.scan else { return }
        try checkOwner(of: scan, address, at: now)
        if let clocks = sent[address]?[scan.at.boot.nanoseconds] {
            guard answers[address]?[scan.at.boot.nanoseconds] == scan.answer else {
                throw broken(
                    "a record is the answer of its call", "the record of \(address) is not that of \(scan.at)", now)
            }
            try checkSpan(of: scan, address, machine, at: now)
            let moment = machine.moment(of: scan.at.boot)
            scans[address] = ScanTime(moment: moment, wall: scan.at.wall, clocks: clocks)
        } else if scans[address]?.wall != scan.at.wall {
            // A record that is written again keeps its age.
            throw broken(
                "a record's age is measured from its call", "the record of \(address) has the time \(scan.at)", now)
        }
    }

    /// Checks that a record was requested at least one interval after the record that it replaces.
    private func checkSpan(
        of scan: Scan, _ address: IPAddress, _ machine: SimulatedMachine, at now: Moment
    ) throws(Violation) {
        guard let last = scans[address], last.age(at: now, on: machine) != nil else { return }
        let span = machine.moment(of: scan.at.boot) - last.moment
        // The same record may be written again, with a different label.
        guard span == .zero || span >= interval - last.error(on: machine) else {
            throw broken("no call before the interval ends", "\(address) has two records \(span) apart", now)
        }
    }

    /// Checks that a record belongs to its address, which the provider includes in each ordinary reverse name.
    private func checkOwner(of scan: Scan, _ address: IPAddress, at now: Moment) throws(Violation) {
        guard let v4 = address.v4, let name = scan.answer.record?.reverse else { return }
        let label = name.prefix { $0 != "." }
        let numbers = label.split(separator: "-", omittingEmptySubsequences: false).map { UInt32($0) }
        // The names of unusual records contain no address.
        guard numbers.count == 4, !numbers.contains(nil) else { return }
        guard numbers == [24, 16, 8, 0].map({ v4 >> $0 & 0xFF }) else {
            throw broken("each address has its own record", "\(address) has the record of \(name)", now)
        }
    }

    private mutating func note(_ event: PublishedEvent, at now: Moment) throws(Violation) {
        guard let seq = event.seq, seq == kept.count + 1 else {
            throw broken("events are numbered without gaps", "\(event.kind) has the number \(event.seq ?? 0)", now)
        }
        kept.append(event.kind)
        guard event.kind == .networkLost || event.kind == .networkRestored else { return }
        guard event.kind != lastRouteEvent, lastRouteEvent != nil || event.kind == .networkLost else {
            throw broken("each loss and each return is reported once", "\(event.kind) twice in a row", now)
        }
        lastRouteEvent = event.kind
        if event.kind == .networkLost { losses += 1 }
    }
}
