import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import Testing

@testable import FleetStore

/// The failures of operations, without a server.
struct FailureTests {
    private static func warning(_ text: String, routine: String) throws -> ServerMessage {
        ServerMessage(severity: .warning, state: try #require(SQLState("01000")), message: text, routine: routine)
    }

    @Test func `a commit whose wait for the standby was cancelled has an unknown outcome`() throws {
        let run = NodeRun(node: NodeID("a"), epoch: 1)
        let reply = SQLReply(
            results: [SQLReply.StatementResult(columns: ["leave"], rows: [[.bool(true)]])],
            warnings: [
                try Self.warning("collation version mismatch", routine: "CheckMyDatabase"),
                try Self.warning("Warten auf synchrone Replikation wird storniert", routine: "SyncRepWaitForLSN"),
            ])
        let failure = try FleetOperation.leave(run, in: FleetKey(number: 1)).result(.success(reply)).failure
        #expect(
            failure == .query(.outcomeUnknown(reason: "the commit may not be on the standby: \(reply.warnings[1])")))
    }

    @Test func `a warning of another routine does not change the result`() throws {
        let run = NodeRun(node: NodeID("a"), epoch: 1)
        let reply = SQLReply(
            results: [SQLReply.StatementResult(columns: ["leave"], rows: [[.bool(true)]])],
            warnings: [try Self.warning("database \"x\" must be vacuumed", routine: "GetNewTransactionId")])
        #expect(try FleetOperation.leave(run, in: FleetKey(number: 1)).result(.success(reply)) == .success(true))
    }

    private static let diskFull = ServerMessage(
        severity: .error, state: .diskFull, message: "disk full", detail: "no space left on device")

    @Test(
        arguments: [
            .timedOut(limit: .seconds(1), wasSent: true), .outcomeUnknown(.closed),
            .outcomeUnknown(.endedByServer(diskFull)),
        ] as [PostgreSQLError])
    func `the outcome of a request that was sent and not answered is unknown`(error: PostgreSQLError) {
        #expect(FleetStoreError(error) == .query(.outcomeUnknown(reason: "\(error)")))
    }

    @Test(
        arguments: [
            .timedOut(limit: .seconds(1), wasSent: false), .notSent(.closed), .tooManyPendingQueries(max: 1),
            .notConnected(.unresolvedHost("x", reason: "y")), .invalidRequest(reason: "x"),
        ] as [PostgreSQLError])
    func `a request that was not sent has no effect`(error: PostgreSQLError) {
        #expect(FleetStoreError(error) == .query(.notSent(reason: "\(error)")))
    }

    @Test func `an error of the server that the protocol does not distinguish is a refusal`() {
        let reason = "the database reported an error: disk full (53100); no space left on device"
        #expect(FleetStoreError(.server(Self.diskFull)) == .query(.refused(reason: reason)))
    }

    @Test func `a schema that a query cannot use is a refusal to the protocol`() {
        let missing = ServerMessage(severity: .error, state: .undefinedSchema, message: "no schema")
        #expect(FleetStoreError(.server(missing)) == .schemaMissing)
        #expect(FleetStoreError.schemaMissing.failure == .refused(reason: "\(FleetStoreError.schemaMissing)"))
        #expect(FleetStoreError.query(.leaseLost).failure == .leaseLost)
    }
}
