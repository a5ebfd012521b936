/// Finds a smaller plan that breaks the same promise, by removing acts in ever smaller groups (Zeller and Hildebrandt,
/// "Simplifying and Isolating Failure-Inducing Input", 2002).
package struct Shrinking<Plan: SimulatedPlan> {
    private let promise: String
    /// The smallest plan so far.
    package private(set) var plan: Plan
    /// The simulated time at which each run stops.
    private let end: Duration
    /// The number of runs still allowed.
    private var runsLeft: Int

    /// - Parameters:
    ///   - runs: the maximum number of runs, except the last one, whose outcome is returned.
    ///   - margin: the simulated time after the violation of the original plan at which each run stops.
    package init(_ plan: Plan, violation: Violation, runs: Int, margin: Duration) {
        self.plan = plan
        promise = violation.promise
        end = violation.moment - .start + margin
        runsLeft = runs
    }

    /// - Returns: the outcome of the smallest plan, with its trace.
    package mutating func shrink() throws -> Outcome {
        var size = max(1, plan.acts.count / 2)
        while size >= 1 {
            var start = 0
            while start < plan.acts.count, runsLeft > 0 {
                var smaller = plan
                smaller.acts.removeSubrange(start..<min(start + size, plan.acts.count))
                runsLeft -= 1
                let outcome = try smaller.run(isTraced: false, until: end)
                if outcome.violation?.promise == promise {
                    plan = smaller
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return try plan.run(isTraced: true, until: end)
    }
}
