/// The reason why a query has failed.
package enum FleetFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The query was not sent, so it had no effect.
    case notSent(reason: String)
    /// The query may have had its effect, or may still have it.
    case outcomeUnknown(reason: String)
    /// The fence does not hold: the term, the leader or the incarnation has changed.
    case leaseLost
    /// The server is not the one of the fleet's row.
    case otherServer
    /// A serialization failure or a deadlock: the whole transaction can be repeated.
    case serialization
    /// A lock was not available in time. Nothing was changed.
    case lockTimeout
    /// The journal already has a row with this number: another one, or this one followed by later rows.
    case numberTaken
    /// The last row of the journal is not the predecessor.
    case predecessorDiffers
    /// The outcome of the operation was decided before it arrived: it was committed, or resolved as not made.
    case operationKnown
    /// These proposals have an outcome already.
    case outcomesKnown([UniqueID])
    /// The server is a standby.
    case readOnly
    /// Another error of the server, such as a full disk or a missing privilege. Nothing was changed.
    case refused(reason: String)

    package var description: String {
        switch self {
        case .notSent(let reason), .outcomeUnknown(let reason), .refused(let reason): reason
        case .leaseLost: "this node no longer leads"
        case .otherServer: "the database server has changed"
        case .serialization: "serialization failure or deadlock"
        case .lockTimeout: "a lock was not available in time"
        case .numberTaken: "the journal already has another row with this number"
        case .predecessorDiffers: "the journal does not end with the predecessor of this row"
        case .operationKnown: "the operation was already committed or cancelled"
        case .outcomesKnown(let ids): "proposals already have an outcome: \(ids.count)"
        case .readOnly: "the database server is a standby, which is read-only"
        }
    }
}
