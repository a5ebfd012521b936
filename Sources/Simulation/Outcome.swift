/// The result of one run.
package struct Outcome: Sendable {
    /// Nil if every promise was kept.
    package let violation: Violation?
    package let coverage: Coverage
    /// The simulated duration of the run.
    package let simulated: Duration
    /// A hash of everything that the simulated programs did, in order: equal for equal plans, on any machine.
    package let digest: UInt64
    /// The last events as text; empty unless the run was traced.
    package let trace: [String]

    package init(violation: Violation?, coverage: Coverage, simulated: Duration, digest: UInt64, trace: [String]) {
        (self.violation, self.coverage, self.simulated) = (violation, coverage, simulated)
        (self.digest, self.trace) = (digest, trace)
    }
}
