import RecordKeeping

/// The handling of replies and failures.
extension Member {
    mutating func handle(_ reply: FleetReply, to sent: QueryInFlight, at now: BootTime) {
        switch (sent.query, reply) {
        case (.readNode, .node(let row)): nodeRead(row, at: now)
        case (.register(let row, _), .changed(let isRegistered)):
            registration = isRegistered ? .member(row.run) : .starting
            if isRegistered { lastEpoch = row.epoch }
            nextBeat = nil
        case (.beat(_, let lease), .beat(let reply)): handleBeat(reply, lease: lease, sentAt: sent.sentAt, at: now)
        case (.takeOver(let takeover), .changed(let hasChanged)): tookOver(takeover, hasChanged, at: now)
        case (.terminateBlockers, .done): isBlocked = false
        case (.handOver(let fence, _, _), .changed(let hasChanged)): handedOver(fence, hasChanged, at: now)
        case (.raiseIncarnation, .changed):
            (raise, isBlocked) = (nil, false)
            nextPoll = now
        case (.leave, .changed): stop(.left, at: now)
        case (.poll(let cursor, _, _), .polled(let reply)):
            polled(reply, after: cursor, sentAt: sent.sentAt, at: now)
        case (.snapshot, .snapshot(let snapshot)): replace(by: snapshot, at: now)
        case (.append, .done): appended(sentAt: sent.sentAt, at: now)
        case (.resolve, .resolved(let isCommitted)): resolved(isCommitted: isCommitted, at: now)
        case (.propose(let proposals, _), .changed(let isInserted)): proposed(proposals, isInserted, at: now)
        case (.withdraw(let ids), .withdrawn(let withdrawn)): withdrew(ids, withdrawn)
        case (.sweep, .swept(let count)):
            recovered(.sweeps)
            if count > 0 { sweeps.deleted(at: now) }
        default: preconditionFailure("the reply \(reply) does not belong to the query \(sent.query)")
        }
    }

    mutating func handle(_ failure: FleetFailure, of sent: QueryInFlight, on lane: FleetQuery.Lane, at now: BootTime) {
        retryAt[lane.rawValue] = now + FleetLimits.retry
        switch failure {
        case .notSent, .outcomeUnknown, .refused, .readOnly, .serialization, .lockTimeout:
            if case .sweep = sent.query {
                reachability.failed(.sweeps, reason: "old rows cannot be deleted: \(failure)", at: now)
            } else {
                reachability.failed(.lane(lane), reason: "\(failure)", at: now)
            }
        case .leaseLost, .otherServer, .numberTaken, .predecessorDiffers, .operationKnown, .outcomesKnown: break
        }
        switch sent.query {
        case .beat: nextBeat = now + FleetLimits.retry
        case .takeOver, .raiseIncarnation: isBlocked = failure == .lockTimeout
        case .register: registration = .starting
        case .append(let fence, let row): appendFailed(row, of: fence, failure, at: now)
        case .resolve, .readNode, .terminateBlockers, .handOver, .leave, .snapshot, .propose, .withdraw:
            break
        case .poll: nextPoll = now + FleetLimits.retry
        case .sweep(let fence, _):
            if failure == .leaseLost, tenure?.fence == fence { stepDown(at: now) }
        }
        // A poll shows which server this is, and raises the incarnation.
        if failure == .otherServer { nextPoll = now }
    }

    private mutating func nodeRead(_ row: NodeRow?, at now: BootTime) {
        guard let row, row.machine != settings.identity.machine, !row.hasLeft else {
            registration = .registering(replacing: row?.mark)
            return
        }
        guard case .watchingOtherMachine(let mark, var since, let lastRead) = registration else {
            registration = .watchingOtherMachine(row.mark, since: now, lastRead: now)
            nextBeat = now + FleetLimits.beatInterval
            return
        }
        if now - lastRead > FleetLimits.maxReadGap { since = now }
        registration = .watchingOtherMachine(mark, since: since, lastRead: now)
        if mark != row.mark {
            emit(.alert(.identityInUse))
            stop(.clonedState, at: now)
        } else if now - since >= FleetLimits.silence {
            registration = .registering(replacing: mark)
        }
    }

    private mutating func handleBeat(_ reply: BeatReply, lease: LeaseBeat?, sentAt: BootTime, at now: BootTime) {
        guard reply.isRegistered else {
            notRegistered(reply.nodes, at: now)
            return
        }
        for row in reply.nodes where row.id != settings.identity.id { note(row, at: now) }
        peers.removeAll { peer in !reply.nodes.contains { $0.id == peer.row.id } }
        guard let lease, tenure?.fence == lease.fence else { return }
        if reply.isLeaseHeld {
            tenure?.beatSucceeded(number: reply.fleet.beat, sentAt: sentAt)
        } else {
            stepDown(at: now)
        }
    }

    /// Handles a heartbeat whose row has another epoch.
    private mutating func notRegistered(_ rows: [NodeRow], at now: BootTime) {
        let epoch = rows.first { $0.id == settings.identity.id }?.epoch ?? 0
        if epoch > lastEpoch {
            emit(.alert(.identityInUse))
            stop(.superseded, at: now)
        } else {
            // The database has lost the registration.
            stepDown(at: now)
            registration = .starting
        }
    }

    private mutating func note(_ row: NodeRow, at now: BootTime) {
        guard let index = peers.firstIndex(where: { $0.row.id == row.id }) else {
            peers.append(Peer(row: row, changedAt: now))
            return
        }
        if peers[index].row.mark != row.mark { peers[index].changedAt = now }
        peers[index].row = row
    }

    /// Stops the participation of the node in the fleet.
    mutating func stop(_ reason: StopReason, at now: BootTime) {
        if tenure != nil { stepDown(at: now) }
        registration = .stopped(reason)
        for lane in FleetQuery.Lane.allCases { cancel(lane) }
        for request in requests {
            if let id = request.id { emit(.conclude(id, request.mayHaveBegun ? .unknown : .unreachable)) }
        }
        requests = []
        emit(.role(.stopped(reason)))
    }
}
