import RecordKeeping

/// Writes to the simulated disk, and reads of the history from it.
extension Simulation {
    /// The maximum duration of a write while the disk is slow.
    static let slowWrite = Duration.seconds(3)

    /// Writes a commit or fails, and reports the result to the core.
    mutating func write(_ commit: Commit, run number: Int) throws(Violation) {
        guard number == run?.number else { return }
        guard now >= disk.failsUntil else {
            coverage.count("commit fails")
            try handle(.commitFailed(commit.id, "database or disk is full"))
            return
        }
        let ended = try promises.checkEndedWatches(in: commit, disk: disk, machine, at: now)
        if ended > 0 { coverage.count("watch ended by itself") }
        try checkAnswers(in: commit)
        let renewed = disk.renewedCohorts
        if plan.sabotage != .forgetfulDisk { disk.write(commit, boot: machine.bootID, at: now) }
        try checkNames()
        try promises.committed(commit, disk, machine, at: now)
        coverage.count("commit")
        if disk.renewedCohorts > renewed { coverage.count("all records of a cohort unchanged") }
        var hasAlert = false
        for write in commit.writes {
            if case .event(let event) = write {
                coverage.count("event: \(event.kind.rawValue)")
                hasAlert = hasAlert || event.kind.isAlert
            }
            if case .window(let window) = write, let madeAt = run?.commits[commit.id] {
                providers[configured].stored(window.endpoint, madeAt: madeAt)
            }
            if case .forgetHistory = write { coverage.count("history deleted") }
            if case .move = write { coverage.count("records moved to another cohort") }
            if case .removeCohort = write { coverage.count("cohort removed") }
            if case .put(_, let entry, cohort: .some) = write, entry.watch?.origin == .name {
                coverage.count("record of an address that only a name has")
            }
        }
        if hasAlert, let down = handle(.crashAtAlert) {
            try end()
            restart(after: down)
            return
        }
        // The event reaches the daemon a moment later, unless the daemon is killed first.
        eventQueue.add(
            .event(run: number, .committed(commit.id)), at: now + prng.duration(.microseconds(1), .milliseconds(2)))
    }

    /// Schedules the result of reading the disk after a short delay.
    mutating func read(for request: Request.ID, run number: Int, _ query: (SimulatedDisk) -> Event) {
        var event = query(disk)
        if now < disk.readsFailUntil {
            coverage.count("read fails")
            event = .unreadable(request, "disk I/O error")
        }
        eventQueue.add(.event(run: number, event), at: now + prng.duration(.microseconds(100), .milliseconds(50)))
    }

    /// Checks that a request whose data could not be read is refused with `StoreFailed`, unless its client has left.
    func checkRefusal(of request: Request.ID, _ effects: [Effect]) throws(Violation) {
        guard run?.connections[Int(request.peer.number)]?.current == request else { return }
        let isRefused = effects.contains { effect in
            if case .answer(request, .refused(.storeFailed)) = effect { true } else { false }
        }
        guard isRefused else {
            throw broken("a failed read is reported", "request \(request.number) did not get StoreFailed")
        }
    }
}
