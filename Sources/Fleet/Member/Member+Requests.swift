import RecordKeeping

/// The changes that clients request, on every node.
extension Member {
    mutating func requested(
        _ id: RequestID, user: UInt32, _ body: [UInt8], until: BootTime, at now: BootTime
    ) {
        if case .stopped = registration {
            emit(.conclude(id, .unreachable))
            return
        }
        guard requests.count < FleetLimits.maxRequestsPerNode,
            requests.count(where: { $0.proposal.user == user }) < FleetLimits.maxRequestsPerUser
        else {
            emit(.conclude(id, .tooMany))
            return
        }
        let proposal = Proposal(id: drawID(), node: settings.identity.id, user: user, body: body)
        requests.append(PendingRequest(id: id, proposal: proposal, until: until))
        if tenure?.phase == .leading { execute(at: requests.count - 1) }
    }

    mutating func clientLeft(_ id: RequestID) {
        for index in requests.indices where requests[index].id == id { requests[index].id = nil }
    }

    /// Runs one of this node's requests through the leader's core.
    mutating func execute(at index: Int) {
        (requests[index].phase, requests[index].mayHaveBegun) = (.executing, true)
        let proposal = requests[index].proposal
        guard !executing.contains(proposal.id) else { return }
        executing.append(proposal.id)
        emit(.execute(proposal))
    }

    /// Runs the proposals of a poll through the leader's core, each once.
    mutating func execute(_ proposals: [Proposal], sentAt: BootTime) {
        // A later poll does not show them.
        concluded.removeAll { $0.at < sentAt }
        for proposal in proposals where !executing.contains(proposal.id) {
            guard !concluded.contains(where: { $0.id == proposal.id }) else { continue }
            executing.append(proposal.id)
            for index in requests.indices where requests[index].proposal.id == proposal.id {
                requests[index].phase = .executing
            }
            emit(.execute(proposal))
        }
    }

    mutating func proposed(_ proposals: [Proposal], _ isInserted: Bool, at now: BootTime) {
        guard isInserted else {
            // The next poll shows the incarnation.
            nextPoll = now
            retryAt[FleetQuery.Lane.write.rawValue] = now + FleetLimits.retry
            return
        }
        let ids = Set(proposals.map(\.id))
        for index in requests.indices where requests[index].phase == .waiting {
            if ids.contains(requests[index].proposal.id) { requests[index].phase = .proposed }
        }
        notification.request()
    }

    /// - Parameter withdrawn: the ids for which nothing has been changed and nothing will be.
    mutating func withdrew(_ ids: [UniqueID], _ withdrawn: [UniqueID]) {
        for id in ids {
            guard let index = requests.firstIndex(where: { $0.proposal.id == id }) else { continue }
            if withdrawn.contains(id) {
                conclude(requests.remove(at: index), .unreachable)
            } else {
                (requests[index].phase, requests[index].isConfirmed) = (.decided, true)
            }
        }
        concludeDecided()
    }

    /// Records outcomes that the journal contains. Clients get their replies once this node has applied them and knows
    /// that they are safe.
    ///
    /// - Parameter isConfirmed: whether a transaction of this node has committed them. If not, they were only read, and
    ///   a withdrawal confirms them.
    mutating func decide(_ outcomes: [ProposalOutcome], isConfirmed: Bool) {
        guard !requests.isEmpty else { return }
        for outcome in outcomes {
            guard let index = requests.firstIndex(where: { $0.proposal.id == outcome.id }) else { continue }
            requests[index].phase = .decided
            requests[index].reply = outcome.reply
            if isConfirmed { requests[index].isConfirmed = true }
        }
    }

    /// Answers the clients whose outcomes have been applied and are safe.
    mutating func concludeDecided() {
        guard applying == nil else { return }
        for request in requests where request.isConfirmed {
            guard let reply = request.reply else { continue }
            if let id = request.id { emit(.conclude(id, .done(reply: reply))) }
            acknowledged.append((request.proposal, cursor.seq))
        }
        requests.removeAll { $0.isConfirmed && $0.reply != nil }
        if acknowledged.count > 2 * FleetLimits.rememberedRows {
            acknowledged.removeFirst(acknowledged.count - FleetLimits.rememberedRows)
        }
    }

    /// Ends the requests whose time is over.
    mutating func expireRequests(at now: BootTime) {
        guard requests.contains(where: { $0.until <= now }) else { return }
        for request in requests where request.isOver(at: now) {
            conclude(request, request.mayHaveBegun ? .unknown : .unreachable)
        }
        requests.removeAll { $0.isOver(at: now) }
    }

    /// Proposes again this node's acknowledged changes that were in lost rows. Their ids are the same, so that a change
    /// whose outcome is known is not made twice.
    mutating func proposeAgain(above common: Int64, until now: BootTime) {
        let lost = acknowledged.filter { $0.seq > common }
        acknowledged.removeAll { $0.seq > common }
        for (proposal, _) in lost where !requests.contains(where: { $0.proposal.id == proposal.id }) {
            var request = PendingRequest(
                id: nil, proposal: proposal, until: now + FleetLimits.outcomeWait * 6)
            request.mayHaveBegun = true
            requests.append(request)
        }
    }

    private mutating func conclude(_ request: PendingRequest, _ conclusion: RequestConclusion) {
        if let id = request.id { emit(.conclude(id, conclusion)) }
    }
}
