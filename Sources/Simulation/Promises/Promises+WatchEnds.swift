import RecordKeeping

/// The promises about watches that end by themselves.
extension Promises {
    /// Handles the reply to a request to add addresses for a time, and checks that an acknowledged watch is on disk.
    ///
    /// Afterwards, it is uncertain whether the addresses are watched: other clients may have asked for a longer watch.
    ///
    /// - Parameter wall: the latest time that the wall clock has shown.
    mutating func answeredTemporarily(
        _ asked: SimulatedClient.Asked, isDone: Bool, disk: SimulatedDisk, wall: WallTime, at now: Moment
    ) throws(Violation) {
        for address in Set(asked.addresses).sorted() {
            let isKnown = isDone && !standing(of: address).isUncertain
            lost([address], mayComeLate: false)
            guard isKnown, standing(of: address).isAlone, let until = asked.until, wall < until else { continue }
            guard let watch = disk.entry(address)?.watch, watch.until.map({ $0 >= until }) ?? true else {
                throw broken("an acknowledged change is on disk", "\(address) is not watched until its end", now)
            }
        }
    }

    /// Checks that no commit ends a watch before its time.
    ///
    /// - Parameter wall: the latest time that the wall clock has shown.
    /// - Returns: the number of watches that the commit ends.
    func checkEndedWatches(
        in commit: Commit, disk: SimulatedDisk, wall: WallTime, at now: Moment
    ) throws(Violation) -> Int {
        var count = 0
        for case .event(let event) in commit.writes where event.kind == .removed && event.message != nil {
            count += 1
            guard let address = event.address, let until = disk.entry(address)?.watch?.until, until <= wall else {
                throw broken("no watch ends early", "\(event.address.map { "\($0)" } ?? "nothing") was removed", now)
            }
        }
        return count
    }

    /// Checks that all watches whose end is before a time have been removed.
    func checkWatchEnds(_ disk: SimulatedDisk, before wall: WallTime, at now: Moment) throws(Violation) {
        for (address, until) in disk.watchEnds where until < wall {
            throw broken("a watch ends in time", "\(address) was to be watched until \(until.milliseconds)", now)
        }
    }
}
