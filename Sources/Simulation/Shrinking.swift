/// Finds a smaller plan that breaks the same promise: acts are taken away in ever smaller pieces for as long as it does
/// (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
package struct Shrinking {
    private let promise: String
    /// The smallest so far.
    package private(set) var plan: Plan
    /// Runs that may still be made.
    private var runsLeft: Int

    package init(_ plan: Plan, promise: String, runs: Int = 400) {
        self.plan = plan
        self.promise = promise
        runsLeft = runs
    }

    /// - Returns: the outcome of the smallest plan.
    package mutating func shrink() throws -> Outcome {
        var smallest = try Simulation.run(plan)
        var size = max(1, plan.acts.count / 2)
        while size >= 1 {
            var start = 0
            while start < plan.acts.count, runsLeft > 0 {
                var smaller = plan
                smaller.acts.removeSubrange(start..<min(start + size, plan.acts.count))
                runsLeft -= 1
                let outcome = try Simulation.run(smaller)
                if outcome.violation?.promise == promise {
                    (plan, smallest) = (smaller, outcome)
                } else {
                    start += size
                }
            }
            if size == 1 { break }
            size /= 2
        }
        return smallest
    }
}
