import RecordKeeping

/// The promise that nothing grows without bound, however many addresses and clients there are.
extension Promises {
    /// Checks that the daemon's tables and queues are bounded by the entries, connections and limits.
    func check(
        _ footprint: Footprint, changesPerTurn: Int, connections: Int, addresses: Int, at now: Moment
    ) throws(Violation) {
        let isBounded =
            footprint.entries <= addresses && footprint.due <= footprint.entries
            && footprint.callers + footprint.listeners + footprint.listings <= connections
            && footprint.scheduled <= footprint.entries + footprint.callers + 16
            && footprint.calls <= 2 * Limits.callsInFlight
            && footprint.unwritten <= connections + 2 * footprint.entries + Limits.waitingEvents + 64
        guard isBounded else {
            throw broken("no queue grows without bound", "\(footprint), with \(connections) connections", now)
        }
        guard areCohortsBounded(footprint, changesPerTurn: changesPerTurn, addresses: addresses) else {
            throw broken("no table grows without bound", "\(footprint), with \(addresses) addresses", now)
        }
    }

    /// Returns whether the cohorts are bounded by the entries and by the limit of a turn.
    ///
    /// - Entries and the commit in progress hold the cohorts. An entry holds at most one.
    /// - A commit holds at most two cohorts for each of its replies. A reply counts as two changes or more, and only
    ///   the last one may exceed the limit of the turn.
    /// - A commit adds at most one row to the table `scan` for each of its replies, and deletes up to `changesPerTurn`
    ///   rows of cohorts without records. Therefore, the table never has more than `addresses + changesPerTurn` rows.
    ///   The commit holds each cohort without a row.
    /// - No entry is obsolete or unreadable, because the simulated disk is never damaged or edited.
    private func areCohortsBounded(_ footprint: Footprint, changesPerTurn: Int, addresses: Int) -> Bool {
        footprint.cohorts <= footprint.entries + footprint.heldCohorts
            && footprint.heldCohorts <= changesPerTurn + 1
            && footprint.cohorts + footprint.emptyCohorts <= addresses + changesPerTurn + footprint.heldCohorts
            && footprint.obsoleteEntries == 0 && footprint.unreadableEntries == 0
    }

    /// Checks that the effects of one event are bounded by the limits of a turn, not by the number of changes that a
    /// client has requested.
    ///
    /// - Parameters:
    ///   - read: the number of kept events that were read for one listener.
    ///   - listeners: the number of listeners, each of which raises the cost of publishing an event.
    func check(
        _ effects: [Effect], changesPerTurn: Int, read: Int, listeners: Int, connections: Int, at now: Moment
    ) throws(Violation) {
        guard effects.count <= 2 * changesPerTurn + read + 2 * connections + Limits.waitingEvents + 64 else {
            throw broken("the effects of one event are bounded", "\(effects.count) effects", now)
        }
        let published = effects.count { if case .publish = $0 { true } else { false } } - read
        let cost = 1 + listeners / Limits.listenersPerChange
        // The cost of the last event may exceed the limit.
        guard (published - 1) * cost < changesPerTurn else {
            throw broken(
                "the effects of one event are bounded", "\(published) events published to \(listeners) listeners", now)
        }
    }
}
