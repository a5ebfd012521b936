import RecordKeeping

/// Calls to local databases, and new versions of these.
extension Simulation {
    /// Handles a call, and schedules its reply. It may read the version before or after a change that is on its way.
    mutating func callLocally(_ call: Call, at instant: Instant, run number: Int) throws(Violation) {
        try checkChoice(of: call)
        try promises.calledLocally(call, machine, disk: disk, at: now)
        run?.calls.insert(call.id)
        eventQueue.add(
            .readLocally(run: number, call, sentAt: instant),
            at: now + prng.duration(.microseconds(1), .milliseconds(5)))
        if let time = handle(.suspendAtCall) { suspend(for: time) }
        if let down = handle(.crashAtCall) {
            try end()
            restart(after: down)
        }
    }

    /// Reads the version that the process uses at this moment.
    mutating func readLocally(_ call: Call, sentAt: Instant, run number: Int) {
        guard number == run?.number else { return }
        let reply = run?.data.map { SimulatedDatabases.reply(to: call, sentAt: sentAt, from: $0) }
        eventQueue.add(
            .repliedLocally(run: number, call, reply), at: now + prng.duration(.microseconds(1), .milliseconds(20)))
    }

    /// Passes a reply to the core; nil if no database can be read.
    mutating func repliedLocally(_ call: Call, _ reply: Reply?, run number: Int) throws(Violation) {
        guard number == run?.number, run?.calls.remove(call.id) != nil else { return }
        promises.ended(call.id, at: now, succeeded: reply != nil)
        guard let reply else {
            coverage.count("local call: unreachable")
            let failure = CallFailure(kind: .unreachable, message: "none of the local databases can be read")
            return try handle(.callFailed(call.id, failure))
        }
        coverage.count(reply.version == run?.data ? "local call: replied" : "local call: reply from an earlier version")
        promises.answered(reply)
        try handle(.replied(call.id, reply))
    }

    /// Replaces the files. The current process keeps the previous version if the new one cannot be read.
    ///
    /// - Parameter version: the number of the new version; nil for files that cannot be read.
    mutating func replaceDatabases(with version: Int64?) {
        databases.number = version
        guard isLocal, let number = run?.number, let version = databases.version else { return }
        let change = now + prng.duration(.milliseconds(1), .seconds(1))
        eventQueue.add(.event(run: number, .providerDataChanged(version)), at: change)
        guard prng.chance(0.3) else { return }
        // Another version follows, perhaps while calls that read the first one are in flight.
        databases.number = version.id.number % 6 + 1
        eventQueue.add(
            .event(run: number, .providerDataChanged(databases.version)),
            at: change + prng.duration(.milliseconds(1), .milliseconds(15)))
    }

    /// Changes the kind of the provider in the configuration, and restarts the daemon.
    mutating func useLocalDatabases(_ areLocal: Bool, down: Duration) throws(Violation) {
        try end()
        if isLocal != areLocal {
            coverage.count(areLocal ? "the provider becomes local" : "the provider becomes remote")
        }
        isLocal = areLocal
        restart(after: down)
    }

    /// Notes the version that the process uses from now on.
    mutating func noteDataChange(_ version: DataVersion?) {
        run?.data = version
        promises.dataChanged(to: version, at: now)
        coverage.count("local databases change")
    }

    /// Checks that all watched addresses have records of the version in use, unless the process, the machine or the
    /// disk is the reason for a delay.
    func checkLocalPromptness() throws(Violation) {
        guard let run, !run.isStopping, let version = run.data else { return }
        let calmSince = max(
            run.since, promises.dataChangedAt, machine.asleepUntil, disk.slowUntil,
            disk.failsUntil + Conditions.storeBackoff)
        guard now - calmSince > Self.localPromptness else { return }
        for address in plan.addresses where disk.isWatched(address) && SpecialPurpose(holding: address) == nil {
            guard now - disk.lastWrite(of: address) > Self.localPromptness else { continue }
            guard disk.entry(address)?.scan?.version == version.id else {
                throw broken("new databases bring their records", "\(address) has no record of \(version)")
            }
        }
    }

    /// The time within which all records are read again.
    private static let localPromptness = Duration.seconds(60)
}
