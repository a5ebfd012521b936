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

    private static let diskFull = ServerMessage(severity: .error, state: .diskFull, message: "disk full")

    @Test(
        arguments: [
            (.notSent(.timedOut(limit: .seconds(1), wasSent: false)), false), (.leaseLost, false),
            (.otherServer, false),
            (.serialization, false), (.lockTimeout, false), (.numberTaken, false), (.predecessorDiffers, false),
            (.operationKnown, false), (.outcomesKnown([]), false), (.readOnly, false), (.schemaMissing, false),
            (.schemaNewer(found: 2, known: 1), false), (.schemaOlder(found: 1, needed: 2), false),
            (.unknownFleet(name: "x"), false), (.refused(diskFull), false),
            (.outcomeUnknown(.timedOut(limit: .seconds(1), wasSent: true)), true), (.notReplicated(diskFull), true),
            (.unexpectedReply(reason: "x"), true),
        ] as [(FleetStoreError, Bool)])
    func `the protocol learns whether a failed operation may have had its effect`(
        error: FleetStoreError, isUnknown: Bool
    ) {
        #expect(error.isOutcomeUnknown == isUnknown)
        let isUnknownToProtocol = if case .outcomeUnknown = FleetFailure(error) { true } else { false }
        #expect(isUnknownToProtocol == isUnknown)
    }

    @Test(
        arguments: [
            (.server(diskFull), .refused(diskFull)),
            (
                .timedOut(limit: .seconds(1), wasSent: true),
                .outcomeUnknown(.timedOut(limit: .seconds(1), wasSent: true))
            ),
            (.outcomeUnknown(.closed), .outcomeUnknown(.outcomeUnknown(.closed))),
            (.timedOut(limit: .seconds(1), wasSent: false), .notSent(.timedOut(limit: .seconds(1), wasSent: false))),
            (.notSent(.closed), .notSent(.notSent(.closed))),
            (
                .notConnected(.unresolvedHost("x", reason: "y")),
                .notSent(.notConnected(.unresolvedHost("x", reason: "y")))
            ),
        ] as [(PostgreSQLError, FleetStoreError)])
    func `a failure of the connection has an effect only if the request was sent`(
        failure: PostgreSQLError, expected: FleetStoreError
    ) {
        #expect(FleetStoreError(failure) == expected)
    }
}
