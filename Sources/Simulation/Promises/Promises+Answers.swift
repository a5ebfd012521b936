import RecordKeeping

/// The promise that every reply with entries states how current each record is.
extension Promises {
    /// Checks the entries of a reply to `Show` or `List` against the data on disk and the true age of each record.
    ///
    /// - Parameter idleSince: the time since which the process could make calls; nil if it is shutting down.
    func checkAnswer(
        _ views: [EntryView], disk: SimulatedDisk, machine: SimulatedMachine, idleSince: Moment?, at now: Moment
    ) throws(Violation) {
        for view in views {
            guard SpecialPurpose(holding: view.address) == nil else {
                try check(view, view.state == .empty, "an address with a special purpose is empty", at: now)
                continue
            }
            let isApplied = now - max(disk.lastWrite(of: view.address), machine.asleepUntil) > Self.applying
            if isApplied { try checkRecord(view, disk: disk, at: now) }
            try checkState(view, isApplied: isApplied, machine, at: now)
            try checkFailure(view, machine, at: now)
            if isApplied, source == .remote { try checkEndpoints(view, disk: disk, at: now) }
            if let idleSince { try checkReason(view, disk: disk, machine, idleSince: idleSince, at: now) }
        }
    }

    /// Checks the entries of a reply from a process whose last commit failed: no calls are made, and each entry without
    /// a current record has the reason.
    func checkAnswerWithoutDisk(_ views: [EntryView], at now: Moment) throws(Violation) {
        for view in views where view.state != .fresh && view.state != .empty {
            let isExplained = view.failure?.kind == .storeFailed || view.failure?.kind == .offline
            try check(view, isExplained, "an entry that waits for the disk has a reason", at: now)
        }
    }

    /// The time within which the daemon applies a commit to its memory, in as many turns as the commit needs.
    static let applying = Duration.seconds(20)

    private func check(
        _ view: EntryView, _ holds: Bool, _ promise: String, at now: Moment
    ) throws(Violation) {
        guard !holds else { return }
        var entry = "\(view.address) is \(view.state.rawValue)"
        entry += ", scanned at \(view.entry.scan.map { "\($0.at)" } ?? "no time")"
        entry += ", expires at \(view.expiresAt?.milliseconds ?? 0)"
        entry += ", failure \(view.failure.map { "\($0)" } ?? "none")"
        throw broken(promise, "\(entry), next attempt at \(view.nextAttemptAt?.milliseconds ?? 0)", now)
    }

    /// Checks that the entry has the record on disk, whether this record is current or not.
    private func checkRecord(_ view: EntryView, disk: SimulatedDisk, at now: Moment) throws(Violation) {
        let stored = disk.entry(view.address)
        if stored?.scan != nil {
            try check(view, view.entry.scan != nil, "a stored record is never withheld", at: now)
        }
        try check(view, view.entry.scan?.answer == stored?.scan?.answer, "a reply contains the stored record", at: now)
        try check(view, view.entry.watch == stored?.watch, "a reply contains the stored labels", at: now)
        try check(
            view, view.entry.changedAt == stored?.changedAt, "a reply contains the time of the last change", at: now)
    }

    /// Checks that the state follows from the age of the record, and that the times are right.
    private func checkState(
        _ view: EntryView, isApplied: Bool, _ machine: SimulatedMachine, at now: Moment
    ) throws(Violation) {
        guard let scan = view.entry.scan else {
            let isRight = (view.state == .loading || view.state == .failed) && view.expiresAt == nil
            return try check(view, isRight, "an entry without a record is loading or failed", at: now)
        }
        let isCurrent = source.isCurrent(scan.version)
        let expiry = isCurrent == nil ? scan.at.wall + interval : nil
        try check(view, view.expiresAt == expiry, "a record expires one interval after its call", at: now)
        let current: EntryState = scan.answer.record == nil ? .empty : .fresh
        try check(view, view.state == current || view.state == .stale, "a record is current or stale", at: now)
        guard let sent = scans[view.address] else {
            throw broken("reported data is on disk", "\(view.address) has a record that was never written", now)
        }
        // Until the last commit has been applied, the reply may contain the previous record.
        guard isApplied, let age = sent.age(at: now, on: machine) else { return }
        let error = sent.error(on: machine)
        if let isCurrent {
            let state = isCurrent ? current : .stale
            try check(view, view.state == state, "a record is current while its databases are in use", at: now)
        } else if view.state == current {
            try check(view, age < interval + error, "a current record is younger than the interval", at: now)
        } else {
            try check(view, age >= interval - error, "a stale record is as old as the interval", at: now)
        }
        let difference = (machine.instant(at: now).wall - scan.at.wall - age).wholeMilliseconds
        try check(view, difference.magnitude <= Self.clockSlack, "the scan time agrees with the clock", at: now)
    }

    /// The number of milliseconds by which a reported time may differ from the wall clock, because the clock may have
    /// been slewed.
    private static let clockSlack = 2_002

    /// Checks that only entries without a current record have a failure, and that the next attempt is in the near
    /// future.
    private func checkFailure(_ view: EntryView, _ machine: SimulatedMachine, at now: Moment) throws(Violation) {
        switch view.state {
        case .fresh, .empty:
            let isRight = view.failure == nil && view.nextAttemptAt == nil
            try check(view, isRight, "a current record needs no reason", at: now)
        case .failed: try check(view, view.failure != nil, "a failed entry states the reason", at: now)
        case .loading, .stale: break
        }
        if view.failure?.kind == .quotaExhausted {
            try check(view, view.nextAttemptAt != nil, "an entry that waits for quota states the next attempt", at: now)
        }
        guard let next = view.nextAttemptAt else { return }
        let wait = next - machine.instant(at: now).wall
        let isPlausible = view.failure != nil && view.failure?.kind != .offline
        // The provider may have requested a wait for both endpoints.
        let mayWait = Call.Endpoint.allCases.allSatisfy { endpoints.mayWait(for: $0, at: now) }
        let latest = max(interval, mayWait ? Limits.maxRetryAfter : .seconds(62)) + .seconds(5)
        try check(
            view, isPlausible && wait >= .milliseconds(-1) && wait <= latest, "the next attempt is in the near future",
            at: now)
    }

    /// Checks that a failure of one endpoint is not reported as a failure to fetch the record while the other endpoint
    /// works.
    private func checkEndpoints(_ view: EntryView, disk: SimulatedDisk, at now: Moment) throws(Violation) {
        // The failure of a lookup is not stored, unless the address has a record.
        let own = disk.entry(view.address).map(\.failure) ?? view.entry.failure
        guard view.state == .failed, own == nil, let kind = view.failure?.kind, kind != .offline, kind != .storeFailed
        else { return }
        try check(view, !endpoints.isAnyWorking, "one working endpoint is enough for a record", at: now)
    }

    /// Checks that a watched address without a current record is reported with a reason, if nothing else explains why
    /// it waits.
    ///
    /// - Parameter idleSince: the time since which the process has been able to make calls, and has made none.
    private func checkReason(
        _ view: EntryView, disk: SimulatedDisk, _ machine: SimulatedMachine, idleSince: Moment, at now: Moment
    ) throws(Violation) {
        guard view.state == .stale || view.state == .loading, view.failure == nil,
            disk.isWatched(view.address), now - disk.lastWrite(of: view.address) > Self.applying
        else { return }
        let due = source == .remote ? scans[view.address].map { $0.moment + interval } ?? idleSince : dataChangedAt
        let waited = now - max(due, idleSince, lastCallEnd, machine.asleepUntil)
        try check(view, waited < Self.starting, "an entry that waits has a reason", at: now)
    }

    /// The time within which a call for a due address is reserved on disk and sent.
    private static let starting = Duration.seconds(5)
}
