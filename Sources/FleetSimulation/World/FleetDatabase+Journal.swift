import Fleet
import RecordKeeping
import Simulation

/// The transactions that concern the journal and proposals.
extension FleetDatabase {
    /// The checks of a commit before its end.
    func check(_ row: JournalRow, _ fence: Fence) -> FleetFailure? {
        if let failure = isFenced(fence) { return failure }
        if state.operations[row.id] != nil { return .operationKnown }
        guard row.seq == state.last.seq + 1, row.previous == state.last.id else { return .numberTaken }
        let known = row.outcomes.map(\.id).filter { state.outcomes[$0] != nil }
        return known.isEmpty ? nil : .outcomesKnown(known)
    }

    mutating func insert(_ row: JournalRow, _ commit: ModelCommit) {
        state.operations[row.id] = true
        state.journal.append(row)
        state.ids.append(row.id)
        state.model.apply(commit)
        for outcome in row.outcomes { state.outcomes[outcome.id] = .some(outcome.reply) }
        let ids = Set(row.outcomes.map(\.id))
        if !ids.isEmpty { state.proposals.removeAll { ids.contains($0.id) } }
    }

    /// Returns whether the operation's commit has been made. If not, it never will be.
    mutating func resolve(_ id: UniqueID) -> Bool {
        if let isCommitted = state.operations[id] { return isCommitted }
        state.operations[id] = false
        return false
    }

    mutating func sweep(_ fence: Fence, through cursor: JournalCursor) -> FleetFailure? {
        if let failure = isFenced(fence) { return failure }
        guard let row = state.row(cursor.seq), row.id == cursor.id else { return nil }
        let count = min(Int(row.seq - state.journal[0].seq) + 1, state.journal.count - 1)
        guard count > 0 else { return nil }
        state.swept = state.journal[count - 1].cursor
        state.journal.removeFirst(count)
        return nil
    }

    mutating func propose(_ proposals: [Proposal], incarnation: Int64) -> Bool {
        guard state.fleet.incarnation == incarnation, state.fleet.server == server else { return false }
        for proposal in proposals where state.outcomes[proposal.id] == nil {
            guard !state.proposals.contains(where: { $0.id == proposal.id }) else { continue }
            state.proposals.append(proposal)
        }
        return true
    }

    mutating func withdraw(_ ids: [UniqueID]) -> [UniqueID] {
        var withdrawn: [UniqueID] = []
        for id in ids {
            if let outcome = state.outcomes[id] {
                if outcome == nil { withdrawn.append(id) }
                continue
            }
            state.outcomes[id] = .some(nil)
            state.proposals.removeAll { $0.id == id }
            withdrawn.append(id)
        }
        return withdrawn
    }

    func poll(after cursor: JournalCursor, limit: Int, withProposals: Bool, at moment: Moment) -> PollReply {
        let first = state.journal.first?.seq ?? 1
        let skipped = max(0, Int(cursor.seq - first) + 1)
        return PollReply(
            server: server, fleet: state.fleet, cursorID: state.id(of: cursor.seq),
            rows: Array(state.journal.dropFirst(skipped).prefix(limit)), first: first, last: state.last,
            lastIncarnation: state.journal.last?.incarnation ?? 0, proposals: withProposals ? state.proposals : [],
            readAt: wallTime(at: moment))
    }

    func snapshot(outcomesOf ids: [UniqueID], state bytes: [UInt8]) -> FleetSnapshot {
        let outcomes = ids.compactMap { id -> ProposalOutcome? in
            guard let outcome = state.outcomes[id], let reply = outcome else { return nil }
            return ProposalOutcome(id: id, reply: reply)
        }
        return FleetSnapshot(
            server: server, fleet: state.fleet, cursor: state.last, state: bytes,
            recent: state.journal.suffix(FleetLimits.rememberedRows).map(\.cursor), outcomes: outcomes)
    }
}
