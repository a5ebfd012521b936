/// The sizes of the keeper's collections. Simulations check that each of them is bounded.
package struct Footprint: Hashable, Sendable {
    /// Addresses that are watched or looked up.
    package var entries: Int
    /// Deadlines in the schedule.
    package var scheduled: Int
    /// Addresses that wait for a call.
    package var due: Int
    /// Calls in flight, and failed calls that wait for a route check.
    package var calls: Int
    /// Requests that wait for a call.
    package var callers: Int
    package var listeners: Int
    /// `List`, `Count` and `Show` requests that are answered over several turns, and previews of reloads.
    package var listings: Int
    /// Pending changes and reloads that wait for a commit.
    package var unwritten: Int
    /// Cohorts in use.
    package var cohorts: Int
    /// Cohorts that the commit in progress holds.
    package var heldCohorts: Int
    /// Stored cohorts without records, which are to be deleted.
    package var emptyCohorts: Int
    /// Stored entries that are to be deleted, because they have no counterpart in memory.
    package var obsoleteEntries: Int
    /// Stored entries that could not be read.
    package var unreadableEntries: Int
}

extension Keeper {
    /// Whether a change waits for a commit, or a commit is being prepared, written or applied.
    package var isCommitting: Bool { !commitQueue.isIdle }

    package var footprint: Footprint {
        Footprint(
            entries: slots.count, scheduled: schedule.count, due: due.count,
            calls: flights.count + uncheckedFailures.count,
            callers: waiters.callers.count, listeners: subscriptions.listeners.count,
            listings: selections.count + listings.count + histories.count + countings.count + showings.count
                + previews.count,
            unwritten: commitQueue.queue.count + commitQueue.readings.count,
            cohorts: slots.cohorts.count, heldCohorts: commitQueue.heldCohorts.count,
            emptyCohorts: slots.cohorts.emptied.count, obsoleteEntries: obsoleteEntries.count,
            unreadableEntries: unreadableEntries.count)
    }
}
