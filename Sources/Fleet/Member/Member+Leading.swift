package import RecordKeeping

/// Takeover, leadership and its end.
extension Member {
    /// The time at which the silence permits a takeover; nil if this node cannot take over.
    var takeoverTime: BootTime? {
        guard tenure == nil, let run, let silence, let fleet, isCaughtUp, !needsSnapshot, raise == nil, !isLeaving
        else { return nil }
        // The expired lease is this run's own, so it need not wait for the lease to end.
        if fleet.leader == run { return silence.since }
        return silence.since + (hasRoute ? FleetLimits.silence : FleetLimits.silenceWithoutRoute)
    }

    func mayTakeOver(at now: BootTime) -> Bool {
        guard let takeoverTime, let silence else { return false }
        return takeoverTime <= now && silence.isWatched(at: now)
    }

    mutating func tookOver(_ takeover: Takeover, _ hasChanged: Bool, at now: BootTime) {
        isBlocked = false
        guard hasChanged else {
            // The next poll shows the change, and begins another silence.
            silence = nil
            nextPoll = now
            return
        }
        let fence = Fence(term: takeover.term + 1, leader: takeover.newLeader, incarnation: takeover.incarnation)
        assume(fence, isHandedOver: false, at: now)
    }

    /// Begins to hold a term: the database has this node as the leader.
    mutating func assume(_ fence: Fence, isHandedOver: Bool, at now: BootTime) {
        tenure = Tenure(fence: fence, isHandedOver: isHandedOver, at: now)
        lastHeld = (fence.incarnation, fence.term)
        silence = nil
        (nextBeat, nextPoll) = (now, now)
    }

    /// Whether this run has not held this term yet.
    func isNew(_ row: FleetRow) -> Bool {
        lastHeld.map { $0.incarnation != row.incarnation || $0.term < row.term } ?? true
    }

    /// Begins to lead, if the first heartbeat has succeeded and a poll that was sent in this tenure showed the end of
    /// the journal.
    ///
    /// - Parameter lastIncarnation: the number of the incarnation of the last row. If it is that of the term, the
    ///   journal contains all reservations of earlier terms. In a restored database it may have no rows.
    mutating func leadIfReady(pollSentAt: BootTime, lastIncarnation: Int64, at now: BootTime) {
        guard var tenure, tenure.phase == .assuming, tenure.beatSentAt != nil, pollSentAt >= tenure.since, isCaughtUp
        else { return }
        let isQuotaKnown = lastIncarnation == tenure.fence.incarnation.number
        let wait = tenure.isHandedOver ? Duration.zero : settings.drain
        let leadership = Leadership(
            term: tenure.fence.term, affectedFrom: now + (isQuotaKnown ? wait : wait + FleetLimits.lease),
            isQuotaKnown: isQuotaKnown, encoding: commonEncoding(at: now))
        (tenure.phase, tenure.leadership) = (.leading, leadership)
        self.tenure = tenure
        clocks.lead(tenure.fence.term, at: now)
        emit(.role(.leading(leadership)))
        for index in requests.indices where requests[index].phase == .waiting && requests[index].until > now {
            execute(at: index)
        }
    }

    /// The highest encoding that all live nodes can read.
    private func commonEncoding(at now: BootTime) -> Int {
        let others = peers.filter { $0.isAlive(at: now) }.map(\.row.encoding)
        return min(settings.identity.encoding, others.min() ?? settings.identity.encoding)
    }

    /// Ends the tenure: the lease is over or lost.
    mutating func stepDown(at now: BootTime) {
        guard let ended = tenure else { return }
        tenure = nil
        nextPoll = now
        if let append {
            if append.phase != .unsent { cancel(.write) }
            self.append = nil
            emit(.commitFailed(append.id, .leaseLost))
        }
        executing = []
        for index in requests.indices where requests[index].phase == .executing { requests[index].phase = .waiting }
        if ended.phase != .assuming { emit(.role(.following)) }
        // The next leader sweeps, and reports its own failures.
        recovered(.sweeps)
    }

    /// The time until which the leader may send calls; nil if none may be sent now.
    ///
    /// Addresses that the predecessor may have called have to wait until `Leadership.affectedFrom` as well.
    package func callsUntil(at now: BootTime) -> BootTime? {
        guard let until = tenure?.callsUntil, until > now else { return nil }
        return until
    }

    /// Whether the node leads at this time. A node that hands over has stopped its calls and its commits.
    package func isLeading(at now: BootTime) -> Bool {
        guard let tenure, let end = tenure.leaseEnd, now < end else { return false }
        switch tenure.phase {
        case .leading, .stoppingCalls: return true
        case .assuming, .handingOver: return false
        }
    }

    /// Whether this is the run of the node that the database knows.
    package func isRun(_ run: NodeRun) -> Bool { self.run == run }

    /// Returns the bounds on this node's clock of a time that a leader has recorded.
    package func bounds(of time: LeaderTime, at now: BootTime) -> OwnTimeBounds {
        clocks.bounds(of: time, at: now)
    }

    // MARK: Handing over

    mutating func routeChanged(hasRoute: Bool) {
        self.hasRoute = hasRoute
        // The lost route explains earlier failures.
        if !hasRoute { tenure?.failingSince = nil }
    }

    mutating func callEnded(hasSucceeded: Bool, at now: BootTime) {
        guard tenure != nil else { return }
        if hasSucceeded {
            tenure?.hasSucceeded = true
            tenure?.failingSince = nil
        } else if hasRoute, tenure?.failingSince == nil {
            tenure?.failingSince = now
        }
    }

    /// Stops the calls if another node may be able to call.
    mutating func considerHandingOver(at now: BootTime) {
        guard let tenure, tenure.phase == .leading else { return }
        let isFailing = tenure.failingSince.map { $0 + FleetLimits.failingCalls <= now } ?? false
        guard isFailing || !hasRoute || isLeaving, let successor = successor(at: now) else {
            // Without a successor, a leaving node still has to stop.
            if isLeaving { stepDown(at: now) }
            return
        }
        self.tenure?.phase = .stoppingCalls(successor: successor, hasFailed: isFailing)
        emit(.stopCalls)
    }

    /// The live node that can lead, with a route that has not failed since the last success anywhere; the first by id.
    /// It needs at most one poll to apply the journal: a node that copies the database could not begin to lead in time.
    private func successor(at now: BootTime) -> NodeRun? {
        let succeeded = max(fleet?.succeededTerm ?? 0, tenure.map { $0.hasSucceeded ? $0.fence.term : 0 } ?? 0)
        let end = max(journalEnd, cursor.seq)
        let able = peers.filter { peer in
            peer.isAlive(at: now) && peer.row.hasRoute && (peer.row.failedTerm.map { $0 < succeeded } ?? true)
                && end - peer.row.applied <= Int64(FleetLimits.maxRowsPerPoll)
        }
        return able.map(\.row.run).min { $0.node < $1.node }
    }

    mutating func callsStopped(at now: BootTime) {
        guard case .stoppingCalls(let successor, let hasFailed)? = tenure?.phase else { return }
        tenure?.phase = .handingOver(successor: successor, hasFailed: hasFailed)
    }

    mutating func handedOver(_ fence: Fence, _ hasChanged: Bool, at now: BootTime) {
        guard tenure?.fence == fence else { return }
        guard hasChanged else {
            // The successor has restarted, or the lease is lost, which the next heartbeat shows.
            tenure?.phase = .leading
            if let leadership = tenure?.leadership { emit(.role(.leading(leadership))) }
            nextBeat = now
            return
        }
        stepDown(at: now)
    }
}
