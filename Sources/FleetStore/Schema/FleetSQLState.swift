import PostgreSQL

/// The codes of the errors that the functions of the schema raise. The class `IR` is not used by PostgreSQL, whose
/// classes begin with a digit, F, H, P or X ("PostgreSQL Error Codes").
package enum FleetSQLState: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// The term, the leader or the incarnation has changed.
    case leaseLost = "IR001"
    /// The server is not the one on which the incarnation began.
    case otherServer = "IR002"
    /// The journal has a row of this number.
    case numberTaken = "IR003"
    /// The last row of the journal is not the predecessor of the new one.
    case predecessorDiffers = "IR004"
    /// The outcome of the operation is known: it was committed, or was resolved as not committed.
    case operationKnown = "IR005"
    /// Proposals have an outcome. The detail has their ids, separated by spaces.
    case outcomesKnown = "IR006"
    /// A newer program has migrated the schema. The detail has its version.
    case schemaNewer = "IR007"

    /// - Returns: nil if the code is another one.
    init?(_ state: SQLState) {
        self.init(rawValue: state.code)
    }

    package var description: String { rawValue }
}
