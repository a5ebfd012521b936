import Fleet
import FleetStore
import PostgreSQLTestSupport

/// The queries of a member as operations on a real database.
extension TestConnection {
    func perform(_ query: FleetQuery, in fleet: FleetKey) async throws -> Result<FleetReply, FleetFailure> {
        switch query {
        case .readNode(let id): await reply(try .readNode(id, in: fleet)) { .node($0) }
        case .register(let row, let mark):
            await reply(try .register(row, replacing: mark, in: fleet)) { .changed($0) }
        case .beat(let beat, let lease): await reply(try .beat(beat, lease, in: fleet)) { .beat($0) }
        case .takeOver(let takeover): await reply(try .takeOver(takeover, in: fleet)) { .changed($0) }
        case .terminateBlockers: await reply(try .terminateBlockers(in: fleet)) { _ in .done }
        case .handOver(let fence, let run, let hasFailed):
            await reply(try .handOver(fence, to: run, hasFailed: hasFailed, in: fleet)) { .changed($0) }
        case .raiseIncarnation(let old, let server, let newServer, let new):
            await reply(
                try .raiseIncarnation(from: old, server: server, newServer: newServer, to: new, in: fleet)
            ) { .changed($0) }
        case .leave(let run): await reply(try .leave(run, in: fleet)) { .changed($0) }
        case .poll(let cursor, let limit, let withProposals):
            await reply(try .poll(after: cursor, limit: limit, withProposals: withProposals, in: fleet)) { .polled($0) }
        case .snapshot(let ids): try await snapshot(outcomesOf: ids, in: fleet)
        case .append(let fence, let row): await reply(try .append(row, behind: fence, in: fleet)) { _ in .done }
        case .resolve(let cursor): await reply(try .resolve(cursor, in: fleet)) { .resolved(isCommitted: $0) }
        case .sweep(let fence, let sweep): await reply(try .sweep(sweep, behind: fence, in: fleet)) { .swept($0) }
        case .propose(let proposals, let incarnation):
            await reply(try .propose(proposals, incarnation: incarnation, in: fleet)) { .changed($0) }
        case .withdraw(let ids): await reply(try .withdraw(ids, in: fleet)) { .withdrawn($0) }
        }
    }

    private func reply<Reply>(
        _ operation: FleetOperation<Reply>, _ reply: (Reply) -> FleetReply
    ) async -> Result<FleetReply, FleetFailure> {
        await perform(operation).map(reply).mapError { FleetFailure($0) }
    }

    /// A snapshot without the tables of the current state.
    private func snapshot(
        outcomesOf ids: [UniqueID], in fleet: FleetKey
    ) async throws -> Result<FleetReply, FleetFailure> {
        let open = try FleetOperation.openSnapshot(outcomesOf: ids, recent: FleetLimits.rememberedRows, in: fleet)
        let snapshot = await reply(open) { head in
            .snapshot(
                FleetSnapshot(
                    server: head.server, fleet: head.fleet, cursor: head.cursor, state: [], recent: head.recent,
                    starts: head.starts, outcomes: head.outcomes))
        }
        try await perform(.closeSnapshot()).get()
        return snapshot
    }
}
