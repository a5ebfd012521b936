import RecordKeeping

/// The relation between this node's clock and the clocks of the leaders of the last terms.
///
/// A value of the leader's clock was read before this node received it, which bounds it from above. It was read after
/// this node sent a poll if that poll did not show a heartbeat that the leader knew to be successful, which bounds it
/// from below.
///
/// A hypervisor can pause the leader without its clock. Such a pause makes earlier times earlier and later times later
/// than they seem. Upper bounds are therefore taken only from values that were read later, and lower bounds only from
/// values that were read earlier.
struct LeaderClocks: Sendable {
    /// A time on both clocks.
    private struct Pair: Sendable {
        let own: BootTime
        let leader: BootTime

        /// Returns a bound for another time of the leader: an upper one for an earlier time, a lower one for a later
        /// time.
        func bound(of clock: BootTime) -> BootTime {
            let distance = clock - leader
            return own + distance * (1 - FleetLimits.clockDrift)
        }
    }

    private struct TermClock: Sendable {
        let term: Int64
        /// When this node first saw the term, which is later than any time in earlier terms.
        let firstSeen: BootTime
        /// Whether this node led the term, so that its clock is the leader's clock.
        let isOwn: Bool
        /// A time before the term began; nil if none is known.
        var start: BootTime?
        /// The last clock value with the time at which it was shown.
        var shown: Pair?
        /// Clock values with earlier times, in order, at least `spacing` apart.
        var earlier: [Pair] = []
    }

    /// The terms in ascending order.
    private var terms: [TermClock] = []
    /// The minimum distance of lower bounds, and their number: they cover an interval of five minutes.
    private static let spacing = Duration.seconds(4)
    private static let capacity = 100

    /// Records that this node leads a term from now on.
    mutating func lead(_ term: Int64, at now: BootTime) {
        insert(TermClock(term: term, firstSeen: now, isOwn: true))
    }

    /// Records a clock value of a term that a reply at `now` has shown.
    mutating func show(_ time: LeaderTime, at now: BootTime) {
        let index = index(of: time.term, at: now)
        if let shown = terms[index].shown, shown.leader >= time.clock { return }
        terms[index].shown = Pair(own: now, leader: time.clock)
    }

    /// Records that a poll sent at `earlier` did not show the term.
    mutating func begin(_ term: Int64, after earlier: BootTime, at now: BootTime) {
        let index = index(of: term, at: now)
        terms[index].start = terms[index].start ?? earlier
    }

    /// Records that a clock value of a term was read after `earlier`.
    mutating func bound(_ time: LeaderTime, after earlier: BootTime, at now: BootTime) {
        let index = index(of: time.term, at: now)
        if let last = terms[index].earlier.last, time.clock - last.leader < Self.spacing { return }
        if terms[index].earlier.count >= Self.capacity { terms[index].earlier.removeFirst() }
        terms[index].earlier.append(Pair(own: earlier, leader: time.clock))
    }

    /// Returns the bounds of a leader's time on this node's clock.
    func bounds(of time: LeaderTime, at now: BootTime) -> OwnTimeBounds {
        guard let known = terms.first(where: { $0.term >= time.term }) else {
            return OwnTimeBounds(earliest: nil, latest: now)
        }
        guard known.term == time.term else { return OwnTimeBounds(earliest: nil, latest: known.firstSeen) }
        guard !known.isOwn else { return OwnTimeBounds(earliest: time.clock, latest: time.clock) }
        var bounds = OwnTimeBounds(earliest: known.start, latest: now)
        if let shown = known.shown, shown.leader >= time.clock { bounds.latest = min(now, shown.bound(of: time.clock)) }
        if let pair = known.earlier.last(where: { $0.leader <= time.clock }) {
            let earliest = pair.bound(of: time.clock)
            bounds.earliest = max(earliest, known.start ?? earliest)
        }
        return bounds
    }

    private mutating func index(of term: Int64, at now: BootTime) -> Int {
        if let index = terms.firstIndex(where: { $0.term == term }) { return index }
        return insert(TermClock(term: term, firstSeen: now, isOwn: false))
    }

    @discardableResult
    private mutating func insert(_ clock: TermClock) -> Int {
        if terms.count >= FleetLimits.maxRememberedTerms { terms.removeFirst() }
        let index = terms.firstIndex { $0.term >= clock.term } ?? terms.endIndex
        if index < terms.endIndex, terms[index].term == clock.term {
            terms[index] = clock
        } else {
            terms.insert(clock, at: index)
        }
        return index
    }
}
