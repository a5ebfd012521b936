/// Finds a smaller plan that breaks the same promise, by removing acts in ever smaller groups (Zeller and Hildebrandt,
/// "Simplifying and Isolating Failure-Inducing Input", 2002).
package struct Shrinking {
    private let promise: String
    /// The smallest plan so far.
    package private(set) var plan: Plan
    /// The simulated time at which each run stops: one hour after the violation of the original plan.
    private let end: Duration
    /// The number of runs still allowed.
    private var runsLeft: Int

    package init(_ plan: Plan, violation: Violation, runs: Int = 400) {
        self.plan = plan
        promise = violation.promise
        end = violation.moment - .start + .seconds(3_600)
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
                let outcome = try Simulation.run(smaller, until: end)
                if outcome.violation?.promise == promise {
                    plan = smaller
                } else {
                    start += size
                }
            }
            if size == 1 { break }
            size /= 2
        }
        return try Simulation.run(plan, isTraced: true, until: end)
    }
}
