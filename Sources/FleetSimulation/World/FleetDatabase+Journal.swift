import Fleet
import RecordKeeping
import Simulation

/// The transactions that concern the journal and proposals.
extension FleetDatabase {
    /// The checks of a commit before its end.
    func check(_ row: JournalRow, _ fence: Fence) -> FleetFailure? {
        if let failure = isFenced(fence) { return failure }
        if state.operations[row.id] != nil || row.cursor == state.last { return .operationKnown }
        if row.seq <= state.last.seq { return .numberTaken }
        guard row.seq == state.last.seq + 1, row.previous == state.last.id else { return .predecessorDiffers }
        let known = row.outcomes.map(\.id).filter { state.outcomes[$0] != nil }
        return known.isEmpty ? nil : .outcomesKnown(known)
    }

    mutating func insert(_ row: JournalRow, _ commit: ModelCommit) {
        state.journal.append(row)
        state.ids.append(row.id)
        state.starts.extend(by: [row])
        state.model.apply(commit)
        for outcome in row.outcomes {
            state.outcomes[outcome.id] = DatabaseState.StoredOutcome(seq: row.seq, reply: outcome.reply)
        }
        let ids = Set(row.outcomes.map(\.id))
        if !ids.isEmpty { state.proposals.removeAll { ids.contains($0.id) } }
    }

    /// Returns whether the row has been committed. If not, it never will be.
    mutating func resolve(_ cursor: JournalCursor) -> Bool {
        if state.id(of: cursor.seq) == cursor.id { return true }
        state.operations[cursor.id] = cursor.seq
        return false
    }

    /// Returns the number of deleted rows.
    mutating func sweep(_ fence: Fence, _ sweep: Sweep) -> Result<Int, FleetFailure> {
        if let failure = isFenced(fence) { return .failure(failure) }
        guard let row = state.row(sweep.journal.seq), row.id == sweep.journal.id else { return .success(0) }
        let count = min(Int(row.seq - state.journal[0].seq), sweep.limit)
        if count > 0 {
            state.swept = state.journal[count - 1].cursor
            state.journal.removeFirst(count)
        }
        let old = state.outcomes.filter { $0.value.seq <= sweep.outcomes }
            .sorted { ($0.value.seq, $0.key) < ($1.value.seq, $1.key) }.prefix(sweep.limit)
        for (id, _) in old { state.outcomes[id] = nil }
        // Their numbers are taken.
        state.operations = state.operations.filter { $0.value > sweep.journal.seq }
        state.proposals.removeAll { state.outcomes[$0.id] != nil }
        return .success(count + old.count)
    }

    mutating func propose(_ proposals: [Proposal], incarnation: Incarnation) -> Bool {
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
                if outcome.reply == nil { withdrawn.append(id) }
                continue
            }
            state.outcomes[id] = DatabaseState.StoredOutcome(seq: state.last.seq + 1, reply: nil)
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
            guard let reply = state.outcomes[id]?.reply else { return nil }
            return ProposalOutcome(id: id, reply: reply)
        }
        return FleetSnapshot(
            server: server, fleet: state.fleet, cursor: state.last, state: bytes,
            recent: state.journal.suffix(FleetLimits.rememberedRows).map(\.cursor), starts: state.starts,
            outcomes: outcomes)
    }
}
