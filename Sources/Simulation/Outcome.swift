/// What came of one run.
package struct Outcome: Sendable {
    /// Nil where every promise was kept.
    package let violation: Violation?
    package let coverage: Coverage
    /// How much time went by in the simulation.
    package let simulated: Duration
    /// Of everything that the daemon did, in order: the same for the same plan, on any machine.
    package let digest: UInt64
    /// The last of what happened, for people.
    package let trace: [String]
}
