import ArgumentParser
import Simulation

extension SeedRunner {
    /// Prints a violation, the smallest plan found that reproduces it, and the command that repeats the run.
    func report(_ violation: Violation, of plan: Plan) throws {
        print("\nBROKEN, seed \(plan.seed): \(violation)\n")
        if maxShrinkingRuns > 0 { try printSmallestPlan(violation, of: plan) }
        print("To repeat the run: swift run \(command) --seeds 1 --from \(plan.seed) --hours \(hours)")
    }

    private func printSmallestPlan(_ violation: Violation, of plan: Plan) throws {
        var shrinking = Shrinking(plan, violation: violation, runs: maxShrinkingRuns, margin: margin)
        let smallest = try shrinking.shrink()
        print("\(shrinking.plan.acts.count) of the \(plan.acts.count) acts reproduce the violation:")
        for (at, act) in shrinking.plan.acts { print("  \(at)  \(act)") }
        print("\nLast events of that run:")
        smallest.trace.suffix(60).forEach { print("  \($0)") }
        if let violation = smallest.violation { print("  \(violation)") }
        print("")
    }

    /// Prints the results of runs that kept every promise.
    ///
    /// - Throws: `ExitCode.failure` if an expected event never occurred although the simulated time was sufficient.
    func report(_ summary: SeedSummary) throws {
        if hasDigests {
            for (seed, digest) in summary.digests.sorted(by: { $0.key < $1.key }) {
                print("\(seed) \(String(digest, radix: 16))")
            }
        }
        print("\n\(summary)")
        for (name, count) in summary.coverage.counts.sorted(by: { $0.key < $1.key }) {
            print("  \(name)\(String(repeating: " ", count: max(1, 40 - name.count)))\(count)")
        }
        let missing = summary.coverage.missing(of: expected)
        guard summary.simulated >= sufficientTime, !missing.isEmpty else { return }
        print("\nThese events never occurred, and are therefore untested: \(missing.joined(separator: ", "))")
        throw ExitCode.failure
    }
}
