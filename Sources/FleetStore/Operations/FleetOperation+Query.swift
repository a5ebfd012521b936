package import Fleet
package import RecordKeeping

/// The queries of a member as transactions.
extension FleetOperation where Reply == FleetReply {
    /// Returns the transaction of a query; nil for a snapshot, which is read in portions.
    ///
    /// - Parameter writes: the changes of an appended row.
    package static func query(
        _ query: FleetQuery, writes: [Commit.Write] = [], in fleet: FleetKey
    ) throws(FleetStoreError) -> Self? {
        switch query {
        case .readNode(let id): reply(try .readNode(id, in: fleet)) { .node($0) }
        case .register(let row, let mark): reply(try .register(row, replacing: mark, in: fleet)) { .changed($0) }
        case .beat(let beat, let lease): reply(try .beat(beat, lease, in: fleet)) { .beat($0) }
        case .takeOver(let takeover): reply(try .takeOver(takeover, in: fleet)) { .changed($0) }
        case .terminateBlockers: reply(try .terminateBlockers(in: fleet)) { _ in .done }
        case .handOver(let fence, let run, let hasFailed):
            reply(try .handOver(fence, to: run, hasFailed: hasFailed, in: fleet)) { .changed($0) }
        case .raiseIncarnation(let old, let server, let newServer, let new):
            reply(try .raiseIncarnation(from: old, server: server, newServer: newServer, to: new, in: fleet)) {
                .changed($0)
            }
        case .leave(let run): reply(try .leave(run, in: fleet)) { .changed($0) }
        case .poll(let cursor, let limit, let withProposals):
            reply(try .poll(after: cursor, limit: limit, withProposals: withProposals, in: fleet)) { .polled($0) }
        case .snapshot: nil
        case .append(let fence, let row): reply(try .append(row, writes, behind: fence, in: fleet)) { .done }
        case .resolve(let cursor): reply(try .resolve(cursor, in: fleet)) { .resolved(isCommitted: $0) }
        case .sweep(let fence, let sweep): reply(try .sweep(sweep, behind: fence, in: fleet)) { .swept($0) }
        case .propose(let proposals, let incarnation):
            reply(try .propose(proposals, incarnation: incarnation, in: fleet)) { .changed($0) }
        case .withdraw(let ids): reply(try .withdraw(ids, in: fleet)) { .withdrawn($0) }
        }
    }

    private static func reply<Result>(
        _ operation: FleetOperation<Result>, _ transform: @escaping @Sendable (Result) -> FleetReply
    ) -> Self {
        operation.map(transform)
    }
}
