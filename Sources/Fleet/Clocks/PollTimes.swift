import RecordKeeping

/// The last polls: when each was sent, and which heartbeat it showed.
struct PollTimes: Sendable {
    private struct Poll: Sendable {
        let sentAt: BootTime
        let term: Int64
        let beat: Int64
    }

    private var polls: [Poll] = []
    /// Maximum number of polls: at one per second, eight heartbeats.
    private static let capacity = 16

    /// Returns the time at which the last poll was sent that did not show this heartbeat of this term; nil if every
    /// poll showed it.
    func lastBefore(beat: Int64, of term: Int64) -> BootTime? {
        polls.last { $0.term < term || ($0.term == term && $0.beat < beat) }?.sentAt
    }

    /// Returns the time at which the last poll was sent that did not show this term; nil if every poll showed it.
    func lastBefore(_ term: Int64) -> BootTime? {
        polls.last { $0.term < term }?.sentAt
    }

    mutating func add(_ row: FleetRow, sentAt: BootTime) {
        if polls.count >= Self.capacity { polls.removeFirst() }
        polls.append(Poll(sentAt: sentAt, term: row.term, beat: row.beat))
    }

    /// Forgets all polls: terms and heartbeats of another incarnation have other numbers.
    mutating func forget() {
        polls = []
    }
}
