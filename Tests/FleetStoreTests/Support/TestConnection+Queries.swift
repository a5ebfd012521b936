import Fleet
import FleetStore
import PostgreSQLTestSupport

/// The queries of a member on a real database.
extension TestConnection {
    func perform(_ query: FleetQuery, in fleet: FleetKey) async throws -> Result<FleetReply, FleetFailure> {
        if let operation = try FleetOperation.query(query, in: fleet) {
            return await perform(operation).mapError(\.failure)
        }
        guard case .snapshot(let ids) = query else { preconditionFailure("not one transaction: \(query)") }
        return try await snapshot(outcomesOf: ids, in: fleet)
    }

    /// A snapshot without the tables of the current state.
    private func snapshot(
        outcomesOf ids: [UniqueID], in fleet: FleetKey
    ) async throws -> Result<FleetReply, FleetFailure> {
        let open = try FleetOperation.openSnapshot(outcomesOf: ids, recent: FleetLimits.rememberedRows, in: fleet)
        let head = await perform(open).mapError(\.failure)
        try await perform(.closeSnapshot()).get()
        return head.map { head in
            .snapshot(
                FleetSnapshot(
                    server: head.server, fleet: head.fleet, cursor: head.cursor, state: [], recent: head.recent,
                    starts: head.starts, outcomes: head.outcomes))
        }
    }
}
