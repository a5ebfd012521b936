/// An event of the fleet that people should see.
package enum FleetAlert: Hashable, Sendable {
    /// The database cannot be reached, or does not perform the queries of this node.
    case fleetLost(reason: String)
    case fleetRestored
    /// The database has lost these commits, which this node had applied.
    case commitsLost(ClosedRange<Int64>)
    /// Another machine uses the identity of this node.
    case identityInUse
    /// A row has an encoding that this version cannot read.
    case unknownEncoding(Int)
}
