package import Fleet

extension FleetFailure {
    /// The failure of an operation as the fleet protocol distinguishes it.
    ///
    /// The outcome of a commit whose wait for the standby was cancelled counts as unknown, because a failover may lose
    /// the commit. The protocol resolves it, and the COMMIT of the resolution waits for the standby again.
    package init(_ error: FleetStoreError) {
        switch error {
        case .notSent: self = .notSent(reason: "\(error)")
        case .leaseLost: self = .leaseLost
        case .otherServer: self = .otherServer
        case .serialization: self = .serialization
        case .lockTimeout: self = .lockTimeout
        case .numberTaken: self = .numberTaken
        case .predecessorDiffers: self = .predecessorDiffers
        case .operationKnown: self = .operationKnown
        case .outcomesKnown(let ids): self = .outcomesKnown(ids)
        case .readOnly: self = .readOnly
        case .schemaMissing, .schemaNewer, .schemaOlder, .unknownFleet, .refused: self = .refused(reason: "\(error)")
        case .outcomeUnknown, .notReplicated, .unexpectedReply: self = .outcomeUnknown(reason: "\(error)")
        }
    }
}
