import RecordKeeping

/// The promises about watches that end by themselves.
extension Promises {
    /// Handles the reply to a request to add addresses for a time, and checks that an acknowledged watch is on disk.
    ///
    /// Afterwards, it is uncertain whether the addresses are watched: other clients may have asked for a longer watch.
    ///
    /// Unless the wall clock was set in the meantime, no watch may end before the machine has run for the requested
    /// time.
    mutating func answeredTemporarily(
        _ asked: SimulatedClient.Asked, isDone: Bool, disk: SimulatedDisk, _ machine: SimulatedMachine, at now: Moment
    ) throws(Violation) {
        let wall = machine.latestWall(at: now)
        for address in Set(asked.addresses).sorted() {
            let isKnown = isDone && !standing(of: address).isUncertain
            lost([address], mayComeLate: false)
            guard isKnown, standing(of: address).isAlone, let until = asked.until, wall < until else { continue }
            guard let watch = disk.entry(address)?.watch, watch.end.map({ $0.until >= until }) ?? true else {
                throw broken("an acknowledged change is on disk", "\(address) is not watched until its end", now)
            }
            guard asked.steps == machine.clocks.steps else { continue }
            let end = machine.runningTime(at: now) + (until - machine.instant(at: now).wall)
            minWatchEnds[address] = max(minWatchEnds[address] ?? .zero, end)
        }
    }

    /// Checks that no commit ends a watch before its time: not before the wall clock has shown that time, and not
    /// before the machine has run for as long as the client has asked for, however the wall clock was set.
    ///
    /// - Returns: the number of watches that the commit ends.
    mutating func checkEndedWatches(
        in commit: Commit, disk: SimulatedDisk, _ machine: SimulatedMachine, at now: Moment
    ) throws(Violation) -> Int {
        var count = 0
        // If a name has the address, it stays on the list after the watch has ended or a client has removed it.
        for case .put(let key, let entry, cohort: _) in commit.writes where entry.watch?.byClient == false {
            minWatchEnds[key.address] = nil
        }
        for case .event(let event) in commit.writes where event.kind == .removed {
            guard let address = event.address else { continue }
            let minimum = minWatchEnds.removeValue(forKey: address)
            // Removals that are not requested have a message. If a name has lost the address, it begins with the name.
            guard let message = event.message, !Plan.names.contains(where: { message.hasPrefix("\($0) ") }) else {
                continue
            }
            count += 1
            guard let until = disk.entry(address)?.watch?.end?.until, until <= machine.latestWall(at: now) else {
                throw broken("no watch ends early", "\(address) was removed", now)
            }
            // Wall times are whole milliseconds.
            guard machine.runningTime(at: now) + .milliseconds(1) >= minimum ?? .zero else {
                throw broken("no watch ends because the clock is set", "\(address) was removed", now)
            }
        }
        return count
    }

    /// Checks that all watches that ended before a time on both clocks have been removed.
    func checkWatchEnds(
        _ disk: SimulatedDisk, before wall: WallTime, elapsed: Duration, at now: Moment
    ) throws(Violation) {
        for (address, end) in disk.watchEnds where end.until < wall && end.elapsed < elapsed {
            throw broken("a watch ends in time", "\(address) was to be watched until \(end.until.milliseconds)", now)
        }
    }
}
