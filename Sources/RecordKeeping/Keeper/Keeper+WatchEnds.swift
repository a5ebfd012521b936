/// Watches that end by themselves, at a time that a client has chosen.
extension Keeper {
    /// Queues the removals of watches that have ended. The next portion follows after the queue has accepted this one,
    /// so that other work is not delayed by more than a portion.
    mutating func endWatches(at now: Instant) {
        // After a shutdown, the next run ends them.
        guard phase == .running, !commitQueue.hasWatchEnds else { return }
        let elapsed = retention.elapsed(at: now.boot)
        for _ in 0..<changesPerTurn {
            guard let index = slots.watchEnds.popReached(at: now, elapsed: elapsed) else { break }
            commitQueue.add(.endWatch(slots.peek(index).address))
        }
    }

    /// Sets the timer for the next watch that ends. Nothing is awaited while the removals of other watches are queued:
    /// the commit with these removals leads to the next ones.
    mutating func awaitWatchEnd(at now: Instant) {
        let next = awaitsWatchEnd ? slots.watchEnds.next(at: now, elapsed: retention.elapsed(at: now.boot)) : nil
        guard let next else { return schedule.remove(TimerID.watchEnd.id) }
        schedule.set(TimerID.watchEnd.id, to: now.boot + min(next, Self.maxWait))
    }

    /// Whether the timer for the next end is set, if there is one.
    var awaitsWatchEnd: Bool { phase == .running && !commitQueue.hasWatchEnds }

    /// Removes an address whose watch has ended, unless a client has removed the address or postponed the end, or the
    /// wall clock was set back, while the removal was queued.
    mutating func applyEnd(of address: IPAddress, into pending: inout PendingCommit, at now: Instant) {
        guard let end = entry(address, in: pending)?.watch?.end else { return }
        guard end.isReached(at: now.wall, elapsed: retention.elapsed(at: now.boot)) else {
            if let index = slots.index(of: address) { slots.watchEnds.putBack(index) }
            return
        }
        _ = remove(address, by: nil, because: Self.watchEnded, into: &pending, at: now)
    }

    /// Maximum time until the next look at the ends. Boot times reach less far than ends.
    private static let maxWait = Duration.seconds(365 * 86_400)

    private static let watchEnded = "its watch has ended"
}
