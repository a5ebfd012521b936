import RecordKeeping

/// The commits of the leader's core.
extension Member {
    mutating func commit(
        _ id: CommitID, _ body: [UInt8], _ outcomes: [ProposalOutcome], at now: BootTime
    ) {
        precondition(append == nil, "a commit follows only after the outcome of the last one")
        switch tenure?.phase {
        case .leading, .stoppingCalls: append = PendingAppend(id: id, body: body, outcomes: outcomes)
        case .assuming, .handingOver, nil: emit(.commitFailed(id, .leaseLost))
        }
    }

    /// Sends the commit, or finds out its outcome.
    mutating func sendAppend(of tenure: Tenure, at now: BootTime) {
        guard var pending = append, applying == nil else { return }
        switch pending.phase {
        case .sent: break
        case .unresolved(let row): send(.resolve(row.cursor), on: .write, at: now)
        case .unsent:
            let row = JournalRow(
                seq: cursor.seq + 1, id: drawID(), previous: cursor.id, term: tenure.fence.term,
                incarnation: tenure.fence.incarnation.number, clock: now, encoding: tenure.leadership?.encoding ?? 1,
                body: pending.body, outcomes: pending.outcomes)
            pending.phase = .sent(row)
            pending.firstSentAt = pending.firstSentAt ?? now
            append = pending
            send(.append(tenure.fence, row), on: .write, at: now)
        }
    }

    mutating func appended(sentAt: BootTime, at now: BootTime) {
        guard let pending = append, case .sent(let row) = pending.phase else { return }
        tenure?.confirm(sentAt: sentAt)
        finish(pending, row, at: now)
    }

    mutating func resolved(isCommitted: Bool, at now: BootTime) {
        guard let pending = append, case .unresolved(let row) = pending.phase else { return }
        if isCommitted {
            finish(pending, row, at: now)
        } else {
            append?.phase = .unsent
        }
    }

    /// Passes a commit that is in the journal to the local store.
    private mutating func finish(_ pending: PendingAppend, _ row: JournalRow, at now: BootTime) {
        append = nil
        let incarnation = tenure?.fence.incarnation ?? incarnation
        applying = (row.cursor, incarnation)
        emit(.apply([row], in: incarnation, commit: pending.id))
        note([row])
        let ids = Set(row.outcomes.map(\.id))
        executing.removeAll { ids.contains($0) }
        concluded += row.outcomes.map { ($0.id, now) }
        // The transaction of this node has waited for the standby.
        decide(row.outcomes, isConfirmed: true)
        notification.request()
    }

    mutating func appendFailed(_ row: JournalRow, of fence: Fence, _ failure: FleetFailure, at now: BootTime) {
        guard let pending = append, case .sent(row) = pending.phase else { return }
        switch failure {
        case .notSent, .serialization, .lockTimeout, .readOnly: append?.phase = .unsent
        case .outcomeUnknown, .operationKnown: append?.phase = .unresolved(row)
        case .leaseLost, .otherServer, .numberTaken, .predecessorDiffers:
            append?.phase = .unsent
            stepDown(at: now)
        case .outcomesKnown(let ids):
            append = nil
            executing.removeAll { ids.contains($0) }
            concluded += ids.map { ($0, now) }
            for index in requests.indices where ids.contains(requests[index].proposal.id) {
                if requests[index].phase == .executing { requests[index].phase = .proposed }
            }
            emit(.commitFailed(pending.id, .outcomesKnown(ids)))
        case .refused(let reason):
            append = nil
            emit(.commitFailed(pending.id, .refused(reason: reason)))
        }
    }
}
