import Fleet
import RecordKeeping
import Simulation

/// The digest of what members do: the kind of each effect, and the numbers and ids that identify its contents.
extension Digest {
    mutating func add(_ effect: FleetEffect) {
        switch effect {
        case .query(let id, let lane, let query):
            add(1, id.number, Int64(lane.rawValue))
            add(query)
        case .cancel(let id): add(2, id.number)
        case .arm(let time): add(3, time?.nanoseconds ?? -1)
        case .notify: add(4)
        case .role(.following): add(5)
        case .role(.leading(let leadership)):
            add(6, leadership.term, leadership.affectedFrom.nanoseconds, leadership.isQuotaKnown ? 1 : 0)
        case .role(.stopped): add(7)
        case .execute(let proposal): add(8, [proposal.id])
        case .apply(let rows, let incarnation, let commit):
            add(9, incarnation.number, commit?.number ?? -1)
            add(Int64(rows.count), rows.map(\.id))
        case .replace(let snapshot, let missing):
            add(10, snapshot.cursor.seq, missing?.lowerBound ?? -1, missing?.upperBound ?? -1)
            add(Int64(snapshot.outcomes.count), [snapshot.cursor.id] + snapshot.outcomes.map(\.id))
        case .commitFailed(let commit, .outcomesKnown(let ids)):
            add(11, commit.number)
            add(Int64(ids.count), ids)
        case .commitFailed(let commit, _): add(12, commit.number)
        case .conclude(let request, let conclusion): add(13, request.number, conclusion.number)
        case .stopCalls: add(14)
        case .alert(.commitsLost(let range)): add(15, range.lowerBound, range.upperBound)
        case .alert: add(16)
        case .saveIncarnation(let incarnation): add(17, [incarnation.id])
        }
    }

    private mutating func add(_ query: FleetQuery) {
        switch query {
        case .readNode: add(1)
        case .register(let row, _): add(2, row.epoch)
        case .beat(let beat, let lease): add(3, beat.applied, lease?.fence.term ?? -1, lease?.knownBeat ?? -1)
        case .takeOver(let takeover): add(4, takeover.term, takeover.beat)
        case .terminateBlockers: add(5)
        case .handOver(let fence, let successor, let hasFailed):
            add(6, fence.term, successor.epoch, hasFailed ? 1 : 0)
        case .raiseIncarnation(_, _, _, let incarnation): add(7, [incarnation.id])
        case .leave(let run): add(8, run.epoch)
        case .poll(let cursor, _, let withProposals):
            add(9, withProposals ? 1 : 0)
            add(cursor.seq, [cursor.id])
        case .snapshot(let ids): add(10, ids)
        case .append(let fence, let row):
            add(11, fence.term, row.seq)
            add(Int64(row.outcomes.count), [row.id] + row.outcomes.map(\.id))
        case .resolve(let cursor): add(12, [cursor.id])
        case .sweep(let fence, let sweep): add(13, fence.term, sweep.journal.seq, sweep.outcomes, sweep.history)
        case .propose(let proposals, let incarnation): add(incarnation.number, proposals.map(\.id))
        case .withdraw(let ids): add(14, ids)
        }
    }

    private mutating func add(_ first: Int64, _ second: Int64, _ others: Int64...) {
        add(first)
        add(second)
        for number in others { add(number) }
    }

    private mutating func add(_ kind: Int64, _ ids: [UniqueID]) {
        add(kind)
        for id in ids {
            add(Int64(bitPattern: id.high))
            add(Int64(bitPattern: id.low))
        }
    }
}

extension RequestConclusion {
    fileprivate var number: Int64 {
        switch self {
        case .done: 0
        case .unreachable: 1
        case .unknown: 2
        case .tooMany: 3
        }
    }
}
