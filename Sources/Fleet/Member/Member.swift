package import RecordKeeping

/// The state machine of one node in the fleet protocol: leadership, commits and permission to call.
///
///     var member = Member(settings, seed: seed, idPrefix: idPrefix)
///     let effects = member.handle(.started, at: now)
///
/// The member is a value that reads no clock, draws random numbers only from its seed, and performs no input or output.
/// All times are on this node's CLOCK_BOOTTIME. A claim (a lease, permission to call) counts from before its request
/// was sent; an observation (the silence of another node) counts from the reply that first showed it.
///
/// Invariants between any two events:
/// 1. At most one query is in flight on each lane.
/// 2. The node leads only while its lease lasts (`Tenure.leaseEnd`), and has applied the whole journal before.
/// 3. A term of an incarnation is held at most once by one run (`lastHeld`).
/// 4. The cursor moves only after the local store has stored the rows, and never skips a row without `.replace`.
/// 5. A proposal is executed at most once per tenure, and its outcome is committed at most once.
package struct Member: Sendable {
    let settings: MemberSettings
    var random: Random
    private let idPrefix: UInt64

    var registration = Registration.starting
    /// The highest epoch of this process; 0 before its registration.
    var lastEpoch: Int64 = 0
    var tenure: Tenure?
    /// The last term that this run held.
    var lastHeld: (incarnation: Incarnation, term: Int64)?

    /// The last row that the local store has stored.
    var cursor: JournalCursor
    /// The last row that was passed to the local store, with the incarnation in which the journal contained it; nil if
    /// all are stored.
    var applying: (cursor: JournalCursor, incarnation: Incarnation)?
    /// The last applied rows, oldest first, to name the numbers of lost commits.
    var recent: [JournalCursor]
    /// The first row of each incarnation up to the last applied row, for the same purpose.
    var starts: [IncarnationStart]
    /// Whether the local state has to be replaced.
    var needsSnapshot = false
    /// Whether the last poll showed no rows after the cursor.
    var isCaughtUp = false

    /// The last incarnation that the node has seen. Its number never decreases.
    var incarnation: Incarnation
    /// The incarnation in which the journal was last seen to contain the cursor.
    var cursorIncarnation: Incarnation
    /// The change of the incarnation that is due; nil if none is.
    var raise: FleetQuery?

    /// The last row of the fleet; nil before the first reply.
    var fleet: FleetRow?
    /// The number of the last row at the last poll.
    var journalEnd: Int64 = 0
    var silence: Silence?
    var peers: [Peer] = []
    var clocks = LeaderClocks()
    var pollTimes = PollTimes()
    var hasRoute = true
    /// Whether an open transaction blocked the last takeover or the last change of the incarnation.
    var isBlocked = false
    var isLeaving = false

    var append: PendingAppend?
    var requests: [PendingRequest] = []
    /// The proposals that the core runs, in order.
    var executing: [UniqueID] = []
    /// The proposals with an outcome that a poll may still show, each with the time of its commit.
    var concluded: [(id: UniqueID, at: BootTime)] = []
    /// This node's acknowledged changes in the last rows, which it proposes again if the rows are lost.
    var acknowledged: [(proposal: Proposal, seq: Int64)] = []

    var queriesInFlight: [QueryInFlight?] = Array(repeating: nil, count: FleetQuery.Lane.allCases.count)
    /// The time before which no query is sent on each lane.
    var retryAt: [BootTime?] = Array(repeating: nil, count: FleetQuery.Lane.allCases.count)
    private var lastQuery: Int64 = 0
    var nextBeat: BootTime?
    var nextPoll: BootTime?
    var sweeps = SweepMarks()
    /// The number of the last row whose events the core no longer keeps.
    var expiredHistory: Int64 = 0
    var reachability = Reachability()
    var notification = Notification()

    private var effects: [FleetEffect] = []
    private var armed: BootTime?

    /// - Parameters:
    ///   - seed: random, and different for each run of a process.
    ///   - idPrefix: the same, and drawn independently: the high half of all ids. The generator has only 64 bits of
    ///     state, so that two runs could draw the same numbers at different positions.
    package init(_ settings: MemberSettings, seed: UInt64, idPrefix: UInt64) {
        self.settings = settings
        (random, self.idPrefix) = (Random(seed: seed), idPrefix)
        (cursor, recent, starts) = (settings.cursor, settings.recent, settings.starts)
        (incarnation, cursorIncarnation) = (settings.incarnation, settings.cursorIncarnation)
    }

    /// Handles an event that occurred now, and returns the effects to perform, in order.
    package mutating func handle(_ event: FleetEvent, at now: BootTime) -> [FleetEffect] {
        effects = []
        expire(at: now)
        switch event {
        case .started: break
        case .replied(let id, let reply): replied(id, reply, at: now)
        case .failed(let id, let failure): failed(id, failure, at: now)
        case .deadlineReached: armed = nil
        case .hinted: nextPoll = min(nextPoll ?? now, now)
        case .applied(let cursor): applied(cursor, at: now)
        case .commit(let id, let body, let outcomes): commit(id, body, outcomes, at: now)
        case .requested(let id, let user, let body, let until):
            requested(id, user: user, body, until: until, at: now)
        case .clientLeft(let id): clientLeft(id)
        case .routeChanged(let hasRoute): routeChanged(hasRoute: hasRoute)
        case .callEnded(let hasSucceeded): callEnded(hasSucceeded: hasSucceeded, at: now)
        case .callsStopped: callsStopped(at: now)
        case .historyExpired(let through): expiredHistory = through
        case .leaving: isLeaving = true
        }
        proceed(at: now)
        return effects
    }

    /// Draws the id of an operation, a row or a proposal.
    mutating func drawID() -> UniqueID { UniqueID(high: idPrefix, low: random.next()) }

    mutating func emit(_ effect: FleetEffect) {
        effects.append(effect)
    }

    /// The run of this node; nil while it is not registered.
    var run: NodeRun? {
        if case .member(let run) = registration { run } else { nil }
    }

    // MARK: Lanes

    mutating func send(_ query: FleetQuery, on lane: FleetQuery.Lane, at now: BootTime) {
        lastQuery += 1
        let id = FleetQuery.ID(number: lastQuery)
        queriesInFlight[lane.rawValue] = QueryInFlight(id: id, query: query, sentAt: now)
        retryAt[lane.rawValue] = nil
        emit(.query(id, lane, query))
    }

    /// Whether a query can be sent on a lane.
    func isIdle(_ lane: FleetQuery.Lane, at now: BootTime) -> Bool {
        guard queriesInFlight[lane.rawValue] == nil else { return false }
        return retryAt[lane.rawValue].map { $0 <= now } ?? true
    }

    /// Cancels the query of a lane, whose outcome is then unknown.
    mutating func cancel(_ lane: FleetQuery.Lane) {
        guard let sent = queriesInFlight[lane.rawValue] else { return }
        queriesInFlight[lane.rawValue] = nil
        emit(.cancel(sent.id))
    }

    /// Removes a query from its lane; nil if it was cancelled.
    private mutating func removeQuery(_ id: FleetQuery.ID) -> (FleetQuery.Lane, QueryInFlight)? {
        for lane in FleetQuery.Lane.allCases {
            if let sent = queriesInFlight[lane.rawValue], sent.id == id {
                queriesInFlight[lane.rawValue] = nil
                return (lane, sent)
            }
        }
        return nil
    }

    private mutating func replied(_ id: FleetQuery.ID, _ reply: FleetReply, at now: BootTime) {
        guard let (lane, sent) = removeQuery(id) else { return }
        recovered(.lane(lane))
        handle(reply, to: sent, at: now)
    }

    /// Ends the failures of a subject.
    mutating func recovered(_ subject: Reachability.Subject) {
        if reachability.recovered(subject) { emit(.alert(.fleetRestored)) }
    }

    private mutating func failed(_ id: FleetQuery.ID, _ failure: FleetFailure, at now: BootTime) {
        guard let (lane, sent) = removeQuery(id) else { return }
        handle(failure, of: sent, on: lane, at: now)
    }

    // MARK: Time

    /// Expires leases, queries and requests before the event is handled, because the node may have been paused.
    private mutating func expire(at now: BootTime) {
        if let end = tenure?.leaseEnd, end <= now { stepDown(at: now) }
        if let tenure, tenure.phase == .assuming, tenure.since + FleetLimits.assuming <= now { stepDown(at: now) }
        for lane in FleetQuery.Lane.allCases {
            guard let sent = queriesInFlight[lane.rawValue], sent.deadline <= now else { continue }
            cancel(lane)
            handle(.outcomeUnknown(reason: "no reply within the time limit"), of: sent, on: lane, at: now)
        }
        expireRequests(at: now)
    }

    /// Sets the timer to the next deadline.
    mutating func arm(at now: BootTime) {
        var next: BootTime?
        func consider(_ time: BootTime?) {
            guard let time, time > now else { return }
            next = next.map { min($0, time) } ?? time
        }
        for sent in queriesInFlight { consider(sent?.deadline) }
        for time in retryAt { consider(time) }
        consider(nextBeat)
        consider(nextPoll)
        consider(tenure?.leaseEnd)
        if let tenure, tenure.phase == .assuming { consider(tenure.since + FleetLimits.assuming) }
        consider(tenure?.failingSince.map { $0 + FleetLimits.failingCalls })
        consider(takeoverTime)
        if case .watchingOtherMachine(_, let since, _) = registration { consider(since + FleetLimits.silence) }
        for request in requests {
            consider(request.until)
            consider(request.end)
        }
        if tenure?.phase == .leading { consider(sweeps.nextSweep) }
        consider(reachability.alertTime)
        consider(notification.next)
        guard next != armed else { return }
        armed = next
        emit(.arm(next))
    }
}
