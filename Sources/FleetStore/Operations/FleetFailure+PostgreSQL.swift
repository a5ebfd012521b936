import Fleet
import PostgreSQL

extension FleetFailure {
    /// The failure of a query as the fleet protocol distinguishes it.
    init(_ error: PostgreSQLError) {
        if case .server(let message) = error {
            self.init(message)
        } else if error.isOutcomeUnknown {
            self = .outcomeUnknown(reason: "\(error)")
        } else {
            self = .notSent(reason: "\(error)")
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
        case .schemaNewer, nil: self = Self.ofServer(message)
        }
    }

    private static func ofServer(_ message: ServerMessage) -> FleetFailure {
        switch message.state {
        case .serializationFailure, .deadlockDetected: .serialization
        case .lockNotAvailable: .lockTimeout
        case .readOnlyTransaction, .recoveryInProgress: .readOnly
        default:
            .refused(
                reason: "the database reported an error: \(message)" + (message.detail.map { "; \($0)" } ?? ""))
        }
    }

    /// The transaction is committed on this server, but the wait for the standby was cancelled.
    ///
    /// The outcome counts as unknown, because a failover may lose the commit. The protocol resolves it, and the COMMIT
    /// of the resolution waits for the standby again.
    ///
    /// - Parameter warning: the server's.
    static func notReplicated(_ warning: ServerMessage) -> FleetFailure {
        .outcomeUnknown(reason: "the commit may not be on the standby: \(warning)")
    }
}
