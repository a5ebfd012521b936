package import RecordKeeping

extension Commit.Write {
    /// Whether the write concerns only the host that makes it, so that no journal row contains it: the retention and
    /// the marks of its history, the alerts in its system's journal, its route, and the outages and events of its
    /// route.
    package var isOfHost: Bool {
        switch self {
        case .forgetHistory, .historyMark, .historyClock, .alertsLogged, .networkLoss: true
        case .outage(let outage): outage.cause == .network
        case .event(let event): event.kind.isOfHost
        case .cohort, .put, .move, .remove, .removeCohort, .removeObsolete: false
        case .putName, .removeName, .hasFileEntries, .window, .health: false
        }
    }

    /// The write as other nodes read it in the journal, without numbers and clocks of one host; nil if it is of the
    /// host.
    ///
    /// - An event has no `seq`, and an outage has the number 0: each node counts its own.
    /// - The end of a watch is 0 on the retention clock, which each node derives from `until`.
    /// - An entry whose record is not written has no scan: the record stays as it is.
    package var shared: Commit.Write? {
        guard !isOfHost else { return nil }
        switch self {
        case .event(var event):
            event.seq = nil
            return .event(event)
        case .outage(var outage):
            outage.number = 0
            return .outage(outage)
        case .put(let key, var entry, let cohort):
            if let end = entry.watch?.end { entry.watch?.end = WatchEnd(until: end.until, elapsed: .zero) }
            if cohort == nil { entry.scan = nil }
            return .put(key, entry, cohort: cohort)
        default: return self
        }
    }
}

extension PublishedEvent.Kind {
    /// Whether events of this kind concern the route of one host. Such events have no position in a journal row.
    package var isOfHost: Bool {
        switch self {
        case .networkLost, .networkRestored: true
        case .added, .removed, .refreshed, .changed, .failed, .recovered: false
        case .providerFailed, .providerRecovered, .throttled: false
        case .nameAdded, .nameRemoved, .addressAdded, .addressRemoved, .nameFailed, .nameRecovered: false
        }
    }
}
