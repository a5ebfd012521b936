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
        #expect(failure == .notReplicated(reply.warnings[1]))
        #expect(failure?.isOutcomeUnknown == true)
        guard case .outcomeUnknown = failure.map({ FleetFailure($0) }) else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a warning of another routine does not change the result`() throws {
        let run = NodeRun(node: NodeID("a"), epoch: 1)
        let reply = SQLReply(
            results: [SQLReply.StatementResult(columns: ["leave"], rows: [[.bool(true)]])],
            warnings: [try Self.warning("database \"x\" must be vacuumed", routine: "GetNewTransactionId")])
        #expect(try FleetOperation.leave(run, in: FleetKey(number: 1)).result(.success(reply)) == .success(true))
    }

    @Test func `the protocol learns whether a failed operation may have had its effect`() throws {
        let message = ServerMessage(severity: .error, state: try #require(SQLState("53100")), message: "disk full")
        let errors: [FleetStoreError] = [
            .notSent(.timedOut(limit: .seconds(1), wasSent: false)), .leaseLost, .otherServer, .serialization,
            .lockTimeout, .numberTaken,
            .predecessorDiffers, .operationKnown, .outcomesKnown([]), .readOnly, .schemaMissing,
            .schemaNewer(found: 2, known: 1), .schemaOlder(found: 1, needed: 2), .unknownFleet(name: "x"),
            .refused(message), .outcomeUnknown(.timedOut(limit: .seconds(1), wasSent: true)), .notReplicated(message),
            .unexpectedReply(reason: "x"),
        ]
        for error in errors {
            let isUnknown = if case .outcomeUnknown = FleetFailure(error) { true } else { false }
            #expect(isUnknown == error.isOutcomeUnknown, "\(error)")
        }
    }
}
