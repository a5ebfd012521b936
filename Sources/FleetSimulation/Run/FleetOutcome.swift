package import Simulation

/// The result of one run.
package struct FleetOutcome: Sendable {
    /// Nil if every promise was kept.
    package let violation: Violation?
    package let coverage: Coverage
    package let simulated: Duration
    /// A hash of all effects of the members, with their times, in order.
    package let digest: UInt64
    /// The last events as text; empty unless the run was traced.
    package let trace: [String]
}
