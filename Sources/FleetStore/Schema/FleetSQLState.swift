import PostgreSQL

/// The codes of the errors that the functions of the schema raise, named like the failures that they mean. The class
/// `IR` is not used by PostgreSQL, whose classes begin with a digit, F, H, P or X ("PostgreSQL Error Codes").
package enum FleetSQLState: String, Hashable, Sendable, CustomStringConvertible {
    case leaseLost = "IR001"
    case otherServer = "IR002"
    case numberTaken = "IR003"
    case predecessorDiffers = "IR004"
    case operationKnown = "IR005"
    /// The detail has the ids of the proposals, separated by spaces.
    case outcomesKnown = "IR006"
    /// The detail has the version of the schema.
    case schemaNewer = "IR007"

    /// - Returns: nil if the code is another one.
    init?(_ state: SQLState) {
        self.init(rawValue: state.code)
    }

    package var description: String { rawValue }
}
