package import PostgreSQL

/// One transaction on the database, with the type of its reply.
///
///     connection.perform(try .takeOver(takeover, in: fleet), limit: .seconds(5)) { result in … }
///
/// It is sent as one message, so the server never waits for the client while it holds a lock, and the reply follows its
/// COMMIT. An operation decides nothing: it checks the conditions that it is given.
package struct FleetOperation<Reply: Sendable>: Sendable {
    /// The message.
    package let request: SQLRequest
    /// Whether the reply means that something is committed.
    private let isWriting: Bool
    /// Whether a missing table means that the schema is missing. A SELECT does not distinguish them.
    private let findsSchema: Bool
    private let decode: @Sendable (FleetResults) throws(FleetStoreError) -> Reply

    init(
        _ script: FleetScript, isWriting: Bool = true, findsSchema: Bool = false,
        decode: @escaping @Sendable (FleetResults) throws(FleetStoreError) -> Reply
    ) {
        self.init(request: .script(script.text), isWriting: isWriting, findsSchema: findsSchema, decode: decode)
    }

    private init(
        request: SQLRequest, isWriting: Bool, findsSchema: Bool,
        decode: @escaping @Sendable (FleetResults) throws(FleetStoreError) -> Reply
    ) {
        (self.request, self.isWriting, self.findsSchema, self.decode) = (request, isWriting, findsSchema, decode)
    }

    /// Returns the same transaction with another type of reply.
    func map<Other>(_ transform: @escaping @Sendable (Reply) -> Other) -> FleetOperation<Other> {
        FleetOperation<Other>(request: request, isWriting: isWriting, findsSchema: findsSchema) {
            [decode] (results) throws(FleetStoreError) in transform(try decode(results))
        }
    }

    /// Returns the typed reply or the typed failure.
    package func result(_ result: Result<SQLReply, PostgreSQLError>) -> Result<Reply, FleetStoreError> {
        switch result {
        case .failure(.server(let message)) where findsSchema && message.state == .undefinedTable:
            return .failure(.schemaMissing)
        case .failure(let error): return .failure(FleetStoreError(error))
        case .success(let reply):
            // A server whose wait for the standby was cancelled reports success, and only a warning says so.
            if isWriting, let warning = reply.warnings.first(where: \.isOfCommit) {
                return .failure(.query(.notReplicated(warning)))
            }
            return Result { () throws(FleetStoreError) in try decode(FleetResults(reply)) }
        }
    }
}

extension ServerMessage {
    /// Whether the message is the warning after a cancelled wait for the standby. It has no code of its own, and its
    /// text is translated, but only this function of PostgreSQL reports it (syncrep.c).
    fileprivate var isOfCommit: Bool { severity == .warning && routine == "SyncRepWaitForLSN" }
}

extension PostgreSQLConnection {
    /// Performs an operation after all earlier requests.
    ///
    /// - Parameters:
    ///   - limit: the time from this call until the reply; see ``send(_:limit:done:)``.
    ///   - done: called once, on the queue of the connection.
    package func perform<Reply>(
        _ operation: FleetOperation<Reply>, limit: Duration,
        done: @escaping (Result<Reply, FleetStoreError>) -> Void
    ) {
        send(operation.request, limit: limit) { done(operation.result($0)) }
    }
}
