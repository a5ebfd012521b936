package import Fleet
package import PostgreSQL

/// The reason why an operation on the database has failed.
package enum FleetStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    // MARK: Nothing was changed

    /// The operation was not sent.
    case notSent(PostgreSQLError)
    /// The fence does not hold: the term, the leader or the incarnation has changed.
    case leaseLost
    /// The server is not the one on which the incarnation began.
    case otherServer
    /// A serialisation failure or a deadlock: the whole transaction can be repeated.
    case serialization
    /// A lock was not available in time.
    case lockTimeout
    /// The journal has a row of this number.
    case numberTaken
    /// The last row of the journal is not the predecessor.
    case predecessorDiffers
    /// The outcome of the operation was decided before it arrived: it was committed, or resolved as not committed.
    case operationKnown
    /// These proposals have an outcome.
    case outcomesKnown([UniqueID])
    /// The server is a standby.
    case readOnly
    /// The database has no schema of this program.
    case schemaMissing
    /// A newer program has migrated the schema to a version that this one cannot use.
    case schemaNewer(found: Int, known: Int)
    /// The schema is of an older version, which this program cannot use.
    case schemaOlder(found: Int, needed: Int)
    /// The database has no fleet of this name.
    case unknownFleet(name: String)
    /// Another error of the server, such as a full disk or a missing privilege.
    case refused(ServerMessage)

    // MARK: Unknown outcome

    /// The operation may have had its effect, or may still have it: the connection ended or a time limit passed.
    case outcomeUnknown(PostgreSQLError)
    /// The transaction is committed on this server, but the wait for the standby was cancelled, so a failover may lose
    /// it. The message is the server's warning.
    case notReplicated(ServerMessage)
    /// The statements succeeded, but a reply does not have the expected form.
    case unexpectedReply(reason: String)

    /// Whether the operation may have had its effect.
    package var isOutcomeUnknown: Bool {
        switch self {
        case .outcomeUnknown, .notReplicated, .unexpectedReply: true
        case .notSent, .leaseLost, .otherServer, .serialization, .lockTimeout, .numberTaken, .predecessorDiffers,
            .operationKnown, .outcomesKnown, .readOnly, .schemaMissing, .schemaNewer, .schemaOlder, .unknownFleet,
            .refused:
            false
        }
    }

    /// The failure and, where a person has to act, what to do.
    package var description: String {
        switch self {
        case .notSent(let error), .outcomeUnknown(let error): "\(error)"
        case .leaseLost: "this node no longer leads"
        case .otherServer: "the database server has changed"
        case .serialization: "the transaction conflicted with another one"
        case .lockTimeout: "the database did not grant a lock in time"
        case .numberTaken: "the journal already has another row with this number"
        case .predecessorDiffers: "the journal does not end with the predecessor of this row"
        case .operationKnown: "the operation was already committed or cancelled"
        case .outcomesKnown(let ids): "proposals already have an outcome: \(ids.count)"
        case .readOnly: "the database server is a standby, which is read-only"
        case .schemaMissing: "the database has no schema \"iprecord\"; create it with iprecordd --fleet-init"
        case .schemaNewer(let found, let known):
            """
            the schema of the database has version \(found), and this program knows versions up to \(known); upgrade \
            iprecord on this host
            """
        case .schemaOlder(let found, let needed):
            """
            the schema of the database has version \(found), and this program needs version \(needed); migrate it with \
            iprecordd --fleet-init
            """
        case .unknownFleet(let name):
            "the database has no fleet \"\(name)\"; create it with iprecordd --fleet-init"
        case .refused(let message):
            message.detail.map { "the database reported an error: \(message); \($0)" }
                ?? "the database reported an error: \(message)"
        case .notReplicated(let message): "the commit may not be on the standby: \(message)"
        case .unexpectedReply(let reason): "unexpected reply of the database: \(reason)"
        }
    }
}

extension FleetStoreError {
    init(_ error: PostgreSQLError) {
        switch error {
        case .server(let message): self = FleetStoreError(message)
        case .outcomeUnknown, .timedOut(_, wasSent: true): self = .outcomeUnknown(error)
        case .libraryMissing, .invalidURL, .secretInURL, .unresolvedHost, .connectTimedOut, .authenticationFailed,
            .connectFailed, .invalidRequest, .tooManyPendingQueries, .notSent, .notConnected,
            .timedOut(_, wasSent: false):
            self = .notSent(error)
        }
    }

    /// An error of the server, after which the transaction is rolled back.
    private init(_ message: ServerMessage) {
        switch FleetSQLState(message.state) {
        case .leaseLost: self = .leaseLost
        case .otherServer: self = .otherServer
        case .numberTaken: self = .numberTaken
        case .predecessorDiffers: self = .predecessorDiffers
        case .operationKnown: self = .operationKnown
        case .outcomesKnown:
            self = .outcomesKnown((message.detail ?? "").split(separator: " ").compactMap { UniqueID(uuid: $0) })
        case .schemaNewer:
            self =
                message.detail.flatMap { Int($0) }
                .map { .schemaNewer(found: $0, known: FleetSchema.newest) } ?? .refused(message)
        case nil: self = Self.ofServer(message)
        }
    }

    private static func ofServer(_ message: ServerMessage) -> FleetStoreError {
        switch message.state {
        case .serializationFailure, .deadlockDetected: .serialization
        case .lockNotAvailable: .lockTimeout
        case .readOnlyTransaction, .recoveryInProgress: .readOnly
        case .undefinedSchema: .schemaMissing
        default: .refused(message)
        }
    }
}
