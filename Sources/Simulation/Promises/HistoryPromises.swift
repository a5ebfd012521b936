import RecordKeeping

/// The promises that each alert is logged, and that history is kept for as long as the configuration requires.
struct HistoryPromises {
    /// The time for which history is kept.
    var retention = Duration.zero
    /// The settings that decide which events are alerts.
    private let settings = Settings()
    /// The moment at which each kept event was written.
    private var written: [Int64: Moment] = [:]
    /// Alerts on disk that the journal does not have.
    private var unlogged: [Int64: PublishedEvent] = [:]
    /// Alerts that were logged while the disk failed, before they had a seq.
    private var loggedWithoutSeq: Set<PublishedEvent> = []
    /// All outages up to this number have been deleted.
    private(set) var lastForgottenOutage: Int64 = 0

    /// Handles an event that was written to disk.
    mutating func committed(_ event: PublishedEvent, at now: Moment) {
        guard let seq = event.seq else { return }
        written[seq] = now
        guard settings.isAlert(event) else { return }
        var early = event
        early.seq = nil
        if loggedWithoutSeq.remove(early) == nil { unlogged[seq] = event }
    }

    /// Handles a log entry.
    mutating func logged(_ event: PublishedEvent) {
        if let seq = event.seq {
            unlogged[seq] = nil
        } else {
            loggedWithoutSeq.insert(event)
        }
    }

    /// Checks, after each startup and at the end of the run, that every alert was logged.
    func checkJournal(at now: Moment) throws(Violation) {
        guard let (seq, alert) = unlogged.min(by: { $0.key < $1.key }) else { return }
        throw Violation(
            promise: "every alert is logged", details: "event \(seq), \(alert.kind), was never logged",
            moment: now)
    }

    /// Checks that deleted events were older than the retention.
    mutating func forgotten(through mark: HistoryMark, at now: Moment) throws(Violation) {
        for (seq, moment) in written where seq <= mark.seq {
            guard now - moment >= retention else {
                throw Violation(
                    promise: "history is kept", details: "event \(seq) was deleted after \(now - moment)", moment: now)
            }
            written[seq] = nil
        }
        lastForgottenOutage = max(lastForgottenOutage, mark.outage)
    }

    /// Whether an event has been deleted, so that a listener can no longer request it.
    func isForgotten(_ seq: Int64) -> Bool { written[seq] == nil }
}
