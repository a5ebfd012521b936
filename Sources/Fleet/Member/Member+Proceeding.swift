import RecordKeeping

/// The queries that are due on each lane.
extension Member {
    /// Sends the queries that are due on idle lanes, and sets the timer.
    mutating func proceed(at now: BootTime) {
        if case .stopped = registration {
            arm(at: now)
            return
        }
        proceedWithLease(at: now)
        if run != nil {
            sweeps.note(cursor, maxRetention: max(settings.journalRetention, settings.outcomeRetention), at: now)
            proceedWithReading(at: now)
            proceedWithWriting(at: now)
        }
        if let reason = reachability.report(at: now) { emit(.alert(.fleetLost(reason: reason))) }
        if notification.isDue(at: now) { emit(.notify) }
        arm(at: now)
    }

    private mutating func proceedWithLease(at now: BootTime) {
        guard isIdle(.lease, at: now) else { return }
        guard let run else {
            register(at: now)
            return
        }
        if let raise {
            send(isBlocked ? .terminateBlockers : raise, on: .lease, at: now)
        } else if isLeaving, tenure == nil {
            send(.leave(run), on: .lease, at: now)
        } else if nextBeat.map({ $0 <= now }) ?? true {
            sendBeat(of: run, at: now)
        } else if let tenure, case .handingOver(let successor, let hasFailed) = tenure.phase, append == nil {
            send(.handOver(tenure.fence, to: successor, hasFailed: hasFailed), on: .lease, at: now)
        } else if let silence, mayTakeOver(at: now) {
            if isBlocked {
                send(.terminateBlockers, on: .lease, at: now)
            } else {
                send(.takeOver(silence.takeover(by: run)), on: .lease, at: now)
            }
        } else {
            considerHandingOver(at: now)
        }
    }

    private mutating func register(at now: BootTime) {
        switch registration {
        case .starting: send(.readNode(settings.identity.id), on: .lease, at: now)
        case .watchingOtherMachine:
            guard nextBeat.map({ $0 <= now }) ?? true else { return }
            nextBeat = now + FleetLimits.beatInterval
            send(.readNode(settings.identity.id), on: .lease, at: now)
        case .registering(let mark):
            let identity = settings.identity
            // After a restore, two runs can replace the same row.
            let increment = 1 + Int64(random.next() >> 32)
            let row = NodeRow(
                id: identity.id, name: identity.name, epoch: max(mark?.epoch ?? 0, lastEpoch) + increment,
                machine: identity.machine, version: identity.version, encoding: identity.encoding)
            send(.register(row, replacing: mark), on: .lease, at: now)
        case .member, .stopped: break
        }
    }

    private mutating func sendBeat(of run: NodeRun, at now: BootTime) {
        nextBeat = now + FleetLimits.beatInterval
        var lease: LeaseBeat?
        if let tenure, append?.isOverdue(at: now) != true {
            lease = LeaseBeat(
                fence: tenure.fence, clock: now, knownBeat: tenure.knownBeat, hasSucceeded: tenure.hasSucceeded)
        }
        send(.beat(NodeBeat(run: run, hasRoute: hasRoute, applied: cursor.seq), lease), on: .lease, at: now)
    }

    private mutating func proceedWithReading(at now: BootTime) {
        guard isIdle(.read, at: now), applying == nil else { return }
        // While the incarnation is being raised, a snapshot could not be used. A poll shows whether another node has
        // raised it.
        if needsSnapshot, raise == nil {
            send(.snapshot(outcomesOf: requests.map(\.proposal.id)), on: .read, at: now)
        } else if nextPoll.map({ $0 <= now }) ?? true {
            nextPoll = now + FleetLimits.pollInterval
            send(
                .poll(after: cursor, limit: FleetLimits.maxRowsPerPoll, withProposals: tenure != nil), on: .read,
                at: now)
        }
    }

    private mutating func proceedWithWriting(at now: BootTime) {
        guard isIdle(.write, at: now) else { return }
        if let tenure, append != nil {
            sendAppend(of: tenure, at: now)
            return
        }
        let ended = requests.filter { $0.mustBeWithdrawn(at: now) }
        let waiting = nextProposals(at: now)
        if !ended.isEmpty {
            send(.withdraw(ended.map(\.proposal.id)), on: .write, at: now)
        } else if !waiting.isEmpty {
            let ids = Set(waiting.map(\.id))
            for index in requests.indices where ids.contains(requests[index].proposal.id) {
                requests[index].mayHaveBegun = true
            }
            send(.propose(waiting, incarnation: incarnation), on: .write, at: now)
        } else if let tenure, tenure.phase == .leading,
            let sweep = sweeps.due(
                journal: settings.journalRetention, outcomes: settings.outcomeRetention, history: expiredHistory,
                limit: settings.rowsPerSweep, at: now)
        {
            send(.sweep(tenure.fence, sweep), on: .write, at: now)
        } else {
            // Otherwise, the failure of a request that is over would never end.
            recovered(.lane(.write))
        }
    }

    /// Returns the first waiting requests, which one query can propose.
    private func nextProposals(at now: BootTime) -> [Proposal] {
        let waiting = requests.filter { $0.phase == .waiting && $0.until > now }.map(\.proposal)
        var bytes = 0
        let count = waiting.prefix { proposal in
            bytes += proposal.body.count
            return bytes <= FleetLimits.maxProposedBytes
        }.count
        return Array(waiting.prefix(max(1, count)))
    }
}
