/// Watches that end by themselves, at a time that a client has chosen.
extension Keeper {
    /// Queues the removals of the watches whose time is up.
    mutating func endWatches(at now: Instant) {
        // After a shutdown, the next run ends them.
        guard phase == .running else { return }
        while let (address, until) = slots.nextEndedWatch(at: now.wall) {
            commitQueue.add(.endWatch(address, until: until))
        }
    }

    /// Sets the timer for the next watch that ends.
    mutating func awaitWatchEnd(at now: Instant) {
        let next = slots.watchEnds.earliest
        guard next != awaitedWatchEnd else { return }
        awaitedWatchEnd = next
        guard let next else { return schedule.remove(TimerID.watchEnd.id) }
        schedule.set(TimerID.watchEnd.id, to: now.boot + (next - now.wall))
    }

    /// Lets `awaitWatchEnd` set the timer again: it has fired, or the wall clock was set.
    mutating func forgetAwaitedWatchEnd() {
        awaitedWatchEnd = nil
        schedule.remove(TimerID.watchEnd.id)
    }

    /// Removes an address whose watch has ended, unless a client has removed it or postponed its end since.
    func applyEnd(
        of address: IPAddress, until: WallTime, into pending: inout PendingCommit, at now: Instant
    ) {
        guard entry(address, in: pending)?.watch?.until == until else { return }
        _ = remove(address, by: nil, because: Self.watchEnded, into: &pending, at: now)
    }

    private static let watchEnded = "its watch has ended"
}
