import RecordKeeping

/// The time for which a node has seen the leader's heartbeat unchanged.
struct Silence: Hashable, Sendable {
    private let term: Int64
    private let beat: Int64
    private let incarnation: Incarnation
    /// The time of the reply that first showed the heartbeat, or that followed a gap between reads.
    private(set) var since: BootTime
    private var lastRead: BootTime

    init(_ row: FleetRow, at now: BootTime) {
        (term, beat, incarnation) = (row.term, row.beat, row.incarnation)
        (since, lastRead) = (now, now)
    }

    /// Compares the row that a reply at `now` has shown with the observed heartbeat.
    mutating func read(_ row: FleetRow, at now: BootTime) {
        guard (row.term, row.beat, row.incarnation) == (term, beat, incarnation) else {
            self = Silence(row, at: now)
            return
        }
        if now - lastRead > FleetLimits.maxReadGap { since = now }
        lastRead = now
    }

    /// Whether the last successful read is recent enough for a takeover.
    func isWatched(at now: BootTime) -> Bool { now - lastRead <= FleetLimits.maxReadGap }

    /// The conditions of a takeover that ends the silence.
    func takeover(by run: NodeRun) -> Takeover {
        Takeover(term: term, beat: beat, incarnation: incarnation, newLeader: run)
    }
}
