import FleetStore
import PostgreSQL
import PostgreSQLTestSupport

extension TestConnection {
    func perform<Reply>(_ operation: FleetOperation<Reply>) async -> Result<Reply, FleetStoreError> {
        operation.result(await send(operation.request))
    }

    /// Sends an operation. It is in the queue of the connection when this method returns.
    func begin<Reply>(_ operation: FleetOperation<Reply>) -> Task<Result<Reply, FleetStoreError>, Never> {
        let outcome = begin(operation.request)
        return Task { operation.result(await outcome.value) }
    }

    /// Begins a transaction and leaves it open.
    func open(_ statements: String...) async throws {
        try await results(.script((["BEGIN"] + statements).joined(separator: ";\n")))
    }

    func open<Reply>(_ operation: FleetOperation<Reply>) async throws { try await open(operation.statements) }

    func run(_ statement: String) async throws { try await results(.script(statement)) }
}
