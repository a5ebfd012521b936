import Fleet
import Simulation

extension FleetDatabase {
    /// Performs a query as a transaction of one moment.
    ///
    /// A row is inserted without an effect on the model.
    ///
    /// - Parameter model: the bytes that a snapshot has as its state.
    mutating func perform(
        _ query: FleetQuery, model: [UInt8] = [], at now: Moment
    ) -> Result<FleetReply, FleetFailure> {
        switch query {
        case .readNode(let id): return .success(.node(state.nodeIndex(id).map { state.nodes[$0] }))
        case .register(let row, let mark): return .success(.changed(register(row, replacing: mark, at: now)))
        case .beat(let beat, let lease): return .success(.beat(self.beat(beat, lease, at: now)))
        case .takeOver(let takeover): return takeOver(takeover).map { .changed($0) }
        case .terminateBlockers:
            open.removeAll { $0.waitsForClient }
            return .success(.done)
        case .handOver(let fence, let run, let hasFailed):
            return handOver(fence, to: run, hasFailed: hasFailed).map { .changed($0) }
        case .raiseIncarnation(let old, let server, let newServer, let new):
            return raise(from: old, old: server, new: newServer, to: new).map { .changed($0) }
        case .leave(let run): return .success(.changed(leave(run)))
        case .poll(let cursor, let limit, let withProposals):
            return .success(.polled(poll(after: cursor, limit: limit, withProposals: withProposals, at: now)))
        case .snapshot(let ids): return .success(.snapshot(snapshot(outcomesOf: ids, state: model)))
        case .append(let fence, let row):
            if let failure = check(row, fence) { return .failure(failure) }
            insert(row, ModelCommit(left: 0))
            return .success(.done)
        case .resolve(let cursor): return .success(.resolved(isCommitted: resolve(cursor)))
        case .sweep(let fence, let sweep): return self.sweep(fence, sweep).map { .swept($0) }
        case .propose(let proposals, let incarnation):
            return .success(.changed(propose(proposals, incarnation: incarnation)))
        case .withdraw(let ids): return .success(.withdrawn(withdraw(ids)))
        }
    }
}

extension FleetQuery {
    /// Whether the transaction waits for the end of open commits.
    var waitsForCommits: Bool {
        switch self {
        case .takeOver, .handOver, .raiseIncarnation, .append, .resolve, .withdraw: true
        case .readNode, .register, .beat, .terminateBlockers, .leave, .poll, .snapshot, .sweep, .propose: false
        }
    }
}
