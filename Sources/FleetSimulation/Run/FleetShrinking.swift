package import Simulation

/// Finds a smaller plan that breaks the same promise, by removing acts in ever smaller groups (Zeller and Hildebrandt,
/// "Simplifying and Isolating Failure-Inducing Input", 2002).
package struct FleetShrinking {
    private let promise: String
    /// The smallest plan so far.
    package private(set) var plan: FleetPlan
    private let end: Duration
    private var runsLeft: Int

    package init(_ plan: FleetPlan, violation: Violation, runs: Int) {
        (self.plan, promise, runsLeft) = (plan, violation.promise, runs)
        end = violation.moment - .start + .seconds(600)
    }

    /// - Returns: the outcome of the smallest plan, with its trace.
    package mutating func shrink() -> FleetOutcome {
        var size = max(1, plan.acts.count / 2)
        while size >= 1 {
            var start = 0
            while start < plan.acts.count, runsLeft > 0 {
                var smaller = plan
                smaller.acts.removeSubrange(start..<min(start + size, plan.acts.count))
                runsLeft -= 1
                if FleetSimulation.run(smaller, until: end).violation?.promise == promise {
                    plan = smaller
                } else {
                    start += size
                }
            }
            if size == 1 { break }
            size /= 2
        }
        return FleetSimulation.run(plan, isTraced: true, until: end)
    }
}
