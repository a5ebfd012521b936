/// How much the keeper holds, in the things that it holds: each of them is bounded by what it was asked for.
package struct Footprint: Hashable, Sendable {
    /// Addresses that are watched or looked up.
    package var entries: Int
    /// Deadlines.
    package var scheduled: Int
    /// Addresses that wait for a call.
    package var due: Int
    package var calls: Int
    /// Clients' requests that wait for a call.
    package var callers: Int
    package var listeners: Int
    package var listings: Int
    /// Work that waits for the disk.
    package var unwritten: Int
}

extension Keeper {
    package var footprint: Footprint {
        Footprint(
            entries: slots.count, scheduled: schedule.count, due: due.count, calls: flights.count + unjudged.count,
            callers: audience.callers.count, listeners: audience.listeners.count,
            listings: listings.count + showings.count, unwritten: ledger.queue.count + ledger.readings.count)
    }
}
